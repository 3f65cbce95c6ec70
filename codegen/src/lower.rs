//! A valid schema to the plain model: decides every name, type and text, and refuses what can't be
//! translated whole.

use std::collections::{BTreeMap, BTreeSet};

use apollo_compiler::{
    Name, Schema,
    ast::{self, Directive, Type, Value},
    parser::SourceSpan,
    schema::{
        Component, DirectiveList, ExtendedType, InputObjectType, InterfaceType, ObjectType,
        UnionType,
    },
};
use proc_macro2::{Ident, TokenStream};
use quote::quote;

use crate::{
    Bindings, default_value,
    model::{
        Abstract, AnsweredBy, Contract, Default, Definition, Enum, Field, Header, Input,
        InputObject, Interface, Member, Object, Plainness, Scalar, TypeRef,
    },
    name,
    problem::{Place, Problems, suggestion},
    reach::{self, Boxing},
    read,
};

const BUILT_IN_SCALARS: [&str; 5] = ["Int", "Float", "String", "Boolean", "ID"];
const BUILT_IN_DIRECTIVES: [&str; 5] = ["skip", "include", "deprecated", "specifiedBy", "oneOf"];

/// Lowers the schema; gives none if there were problems.
pub(crate) fn lower(
    schema: &Schema,
    bindings: &Bindings,
    problems: &mut Problems,
) -> Option<Contract> {
    let roots: BTreeMap<String, ast::OperationType> = schema
        .schema_definition
        .iter_root_operations()
        .map(|(operation, root)| (root.name.to_string(), operation))
        .collect();
    let elsewhere = bindings.objects.keys().cloned().collect();
    let boxing = Boxing::new(schema, &elsewhere);
    let resolved = resolved(schema, &roots);
    let mut lowering = Lowering {
        schema,
        bindings,
        roots,
        boxing,
        resolved,
        problems,
    };
    lowering.check_bindings();
    lowering.check_whole();
    let definitions = lowering.definitions();
    lowering.check_names(&definitions);
    problems.is_empty().then_some(Contract { definitions })
}

/// The object types that need resolvers of their own: a field takes arguments, or leads to such a type.
fn resolved(schema: &Schema, roots: &BTreeMap<String, ast::OperationType>) -> BTreeSet<String> {
    let objects = || schema.types.values().filter_map(ExtendedType::as_object);
    let mut resolved: BTreeSet<String> = objects()
        .filter(|object| !roots.contains_key(object.name.as_str()))
        .filter(|object| {
            object
                .fields
                .values()
                .any(|field| !field.arguments.is_empty())
        })
        .map(|object| object.name.to_string())
        .collect();
    loop {
        let leads_there = objects().find(|object| {
            !resolved.contains(object.name.as_str())
                && !roots.contains_key(object.name.as_str())
                && object
                    .fields
                    .values()
                    .any(|field| resolved.contains(field.ty.inner_named_type().as_str()))
        });
        match leads_there {
            Some(object) => resolved.insert(object.name.to_string()),
            None => return resolved,
        };
    }
}

struct Lowering<'a> {
    schema: &'a Schema,
    bindings: &'a Bindings,
    roots: BTreeMap<String, ast::OperationType>,
    boxing: Boxing,
    resolved: BTreeSet<String>,
    problems: &'a mut Problems,
}

impl Lowering<'_> {
    fn place(&self, span: Option<SourceSpan>) -> Place {
        read::place(&self.schema.sources, span).unwrap_or_default()
    }

    fn add(&mut self, span: Option<SourceSpan>, message: impl Into<String>) {
        let place = read::place(&self.schema.sources, span);
        self.problems.add(place, message);
    }

    /// Every binding names a type of the right kind and a Rust path.
    fn check_bindings(&mut self) {
        for (kind, method, bound) in [
            ("scalar", "scalar", &self.bindings.scalars),
            ("object type", "object", &self.bindings.objects),
        ] {
            for (name, path) in bound {
                let matches = |definition: &ExtendedType| match method {
                    "scalar" => definition.is_scalar() && !definition.is_built_in(),
                    _ => definition.is_object() && !definition.is_built_in(),
                };
                let definition = self.schema.types.get(name.as_str());
                if !definition.is_some_and(matches) {
                    let known = self.schema.types.values().filter(|known| matches(known));
                    let suggestion = suggestion(name, known.map(|known| known.name().as_str()));
                    let message = format!(
                        "build.rs names a Rust type for the {kind} \"{name}\", which this file does not define{suggestion}"
                    );
                    self.problems.add(None, message);
                } else if self.roots.contains_key(name) {
                    let message = format!(
                        "build.rs names a Rust type for the root type \"{name}\"; leave it out and implement {} for it",
                        name::of_resolver(name)
                    );
                    self.problems.add(None, message);
                }
                if syn::parse_str::<syn::Path>(path).is_err() {
                    let message = format!(
                        "build.rs names \"{path}\" for \"{name}\", which is not the path of a Rust type"
                    );
                    self.problems.add(None, message);
                }
            }
        }
    }

    /// Everything in the file can be served: nothing is left out silently.
    fn check_whole(&mut self) {
        let schema = self.schema;
        if let Some(description) = &schema.schema_definition.description {
            self.add(description.location(), "the description of the schema can't be served by async-graphql; move it to the root types");
        }
        for definition in schema.directive_definitions.values() {
            if !definition.is_built_in() && !BUILT_IN_DIRECTIVES.contains(&definition.name.as_str())
            {
                let message = format!(
                    "the directive \"@{}\" can't be served by async-graphql; remove its definition and its uses",
                    definition.name
                );
                self.add(definition.location(), message);
            }
        }
        let served = reach::served(schema);
        for (name, definition) in &schema.types {
            if !definition.is_built_in() && !served.contains(name.as_str()) {
                let message = format!(
                    "no field of a served type leads to the type \"{name}\", so async-graphql would leave it out; use it or remove it"
                );
                self.add(definition.name().location(), message);
            }
        }
    }

    fn definitions(&mut self) -> Vec<Definition> {
        let schema = self.schema;
        let own = schema
            .types
            .values()
            .filter(|definition| !definition.is_built_in());
        own.filter_map(|definition| self.definition(definition))
            .collect()
    }

    fn definition(&mut self, definition: &ExtendedType) -> Option<Definition> {
        match definition {
            ExtendedType::Scalar(scalar) => {
                let header = self.type_header(&scalar.name, scalar.description.as_deref());
                let specified_by = argument_of(&scalar.directives, "specifiedBy", "url");
                match self.bindings.scalars.get(scalar.name.as_str()) {
                    Some(path) => Some(Definition::Scalar(Scalar {
                        header,
                        rust: path_of(path),
                        specified_by,
                    })),
                    None => {
                        let message = format!(
                            "the scalar \"{0}\" has no Rust type; name one in build.rs: .scalar(\"{0}\", \"crate::…\")",
                            scalar.name
                        );
                        self.add(scalar.name.location(), message);
                        None
                    }
                }
            }
            ExtendedType::Enum(definition) => {
                let header = self.type_header(&definition.name, definition.description.as_deref());
                let values = definition.values.values().map(|value| {
                    let ident = name::of_enum_value(&value.value);
                    self.header(
                        &value.value,
                        ident,
                        value.description.as_deref(),
                        &value.directives,
                    )
                });
                let values = values.collect();
                Some(Definition::Enum(Enum { header, values }))
            }
            ExtendedType::InputObject(input) => {
                Some(Definition::InputObject(self.input_object(input)))
            }
            ExtendedType::Object(object) => Some(self.object(object)),
            ExtendedType::Interface(interface) => {
                Some(Definition::Abstract(self.interface(interface)))
            }
            ExtendedType::Union(union) => Some(Definition::Abstract(self.union(union))),
        }
    }

    fn input_object(&mut self, input: &InputObjectType) -> InputObject {
        let one_of = input.directives.has("oneOf");
        if one_of {
            for field in input.fields.values() {
                if field.ty.is_non_null() || field.default_value.is_some() {
                    let message = format!(
                        "the field \"{}\" of the @oneOf type {} must be nullable and have no default",
                        field.name, input.name
                    );
                    self.add(field.name.location(), message);
                }
            }
        }
        let fields = input.fields.values();
        let fields = fields.map(|field| self.input(field, &input.name)).collect();
        let header = self.type_header(&input.name, input.description.as_deref());
        InputObject {
            header,
            fields,
            one_of,
        }
    }

    fn object(&mut self, object: &ObjectType) -> Definition {
        let header = self.type_header(&object.name, object.description.as_deref());
        let operation = self.roots.get(object.name.as_str()).copied();
        let bound = self
            .bindings
            .objects
            .get(object.name.as_str())
            .map(|path| path_of(path));
        let interfaces: Vec<String> = object
            .implements_interfaces
            .iter()
            .map(|name| name.to_string())
            .collect();
        if let (Some(_), Some(interface)) = (operation, object.implements_interfaces.first()) {
            let message = format!(
                "the root type {} can't implement the interface {interface}; let other types implement it",
                object.name
            );
            self.add(interface.name.location(), message);
        }
        let answered_by = match (operation, bound) {
            (Some(_), _) => AnsweredBy::Root,
            (None, Some(path)) if self.resolved.contains(object.name.as_str()) => {
                AnsweredBy::Resolvers(path)
            }
            (None, Some(path)) => AnsweredBy::Getters(path),
            (None, None) => {
                self.refuse_unbound_resolved(object);
                AnsweredBy::Struct
            }
        };
        let unions = self
            .schema
            .types
            .values()
            .filter_map(ExtendedType::as_union);
        let unions = unions
            .filter(|union| union.members.contains(&object.name))
            .map(|union| union.name.to_string());
        let conditions = [header.name.clone()]
            .into_iter()
            .chain(interfaces.clone())
            .chain(unions)
            .collect();
        let object = Object {
            resolver_ident: name::of_resolver(&object.name),
            interfaces,
            conditions,
            fields: self.fields(&object.name, object.fields.values()),
            answered_by,
            header,
        };
        match operation {
            Some(ast::OperationType::Subscription) => Definition::Subscription(object),
            _ => Definition::Object(object),
        }
    }

    fn refuse_unbound_resolved(&mut self, object: &ObjectType) {
        if !self.resolved.contains(object.name.as_str()) {
            return;
        }
        let name = &object.name;
        let cause = object.fields.values().find_map(|field| {
            let leads_to = field.ty.inner_named_type();
            if !field.arguments.is_empty() {
                Some((field, "takes arguments".to_owned()))
            } else if self.resolved.contains(leads_to.as_str()) {
                Some((
                    field,
                    format!("leads to {leads_to}, whose fields take arguments"),
                ))
            } else {
                None
            }
        });
        if let Some((field, why)) = cause {
            let message = format!(
                "{name}.{} {why}, so {name} needs a Rust type that resolves it; name one in build.rs: .object(\"{name}\", \"crate::…\")",
                field.name
            );
            self.add(field.name.location(), message);
        }
    }

    fn interface(&mut self, interface: &InterfaceType) -> Abstract {
        let header = self.type_header(&interface.name, interface.description.as_deref());
        let fields = self.fields(&interface.name, interface.fields.values());
        let interfaces = interface
            .implements_interfaces
            .iter()
            .map(|name| name.to_string())
            .collect();
        let members = self.members(&interface.name);
        if members.is_empty() {
            let message = format!(
                "no object type implements the interface {0}, so it could never be answered; implement it or remove it",
                interface.name
            );
            self.add(interface.name.location(), message);
        }
        Abstract {
            header,
            interface: Some(Interface { fields, interfaces }),
            members,
        }
    }

    fn union(&mut self, union: &UnionType) -> Abstract {
        let header = self.type_header(&union.name, union.description.as_deref());
        Abstract {
            header,
            interface: None,
            members: self.members(&union.name),
        }
    }

    fn members(&mut self, abstract_name: &Name) -> Vec<Member> {
        let definition = &self.schema.types[abstract_name];
        let names = reach::possible_types(self.schema, definition);
        let mut members = Vec::new();
        for name in names {
            if self.resolved.contains(&name) {
                let message = format!(
                    "{abstract_name} may be {name}, which has fields with arguments (or leads to one): such types can't be part of an interface or union here; move those fields to another type"
                );
                self.add(abstract_name.location(), message);
            }
            members.push(Member {
                variant: name::of_type(&name),
                rust: self.named_rust(&name),
                name,
            });
        }
        members
    }

    fn fields<'f>(
        &mut self,
        owner: &Name,
        fields: impl Iterator<Item = &'f Component<ast::FieldDefinition>>,
    ) -> Vec<Field> {
        let mut lowered = Vec::new();
        for field in fields {
            let arguments: Vec<Input> = field
                .arguments
                .iter()
                .map(|argument| self.input(argument, ""))
                .collect();
            let named = field.ty.inner_named_type();
            if self.roots.contains_key(named.as_str()) {
                let message = format!(
                    "{owner}.{} answers the root type {named}, which only the service as a whole can answer; use another type",
                    field.name
                );
                self.add(field.name.location(), message);
            }
            lowered.push(Field {
                header: self.header(
                    &field.name,
                    name::of_field(&field.name),
                    field.description.as_deref(),
                    &field.directives,
                ),
                arguments_ident: (!arguments.is_empty())
                    .then(|| name::of_arguments(owner, &field.name)),
                arguments,
                ty: self.type_ref(&field.ty, owner),
            });
        }
        lowered
    }

    fn input(&mut self, input: &ast::InputValueDefinition, owner: &str) -> Input {
        let mut default = None;
        if let Some(value) = &input.default_value {
            let custom = self.schema.get_scalar(input.ty.inner_named_type());
            let custom = custom.filter(|scalar| !BUILT_IN_SCALARS.contains(&scalar.name.as_str()));
            let rust = match (custom, &**value) {
                (Some(scalar), value) if *value != Value::Null => Err(format!(
                    "a default value of the custom scalar {} can't be checked here; leave it out and say in the description what is assumed",
                    scalar.name
                )),
                _ => default_value::expression(self.schema, &self.boxing, owner, &input.ty, value),
            };
            match rust {
                Ok(rust) => {
                    default = Some(Default {
                        sdl: value.serialize().no_indent().to_string(),
                        rust,
                    })
                }
                Err(message) => self.add(
                    value.location(),
                    format!("default of \"{}\": {message}", input.name),
                ),
            }
        }
        Input {
            header: self.header(
                &input.name,
                name::of_field(&input.name),
                input.description.as_deref(),
                &input.directives,
            ),
            parameter: name::of_type(&input.name),
            ty: self.type_ref(&input.ty, owner),
            default,
        }
    }

    fn type_ref(&self, ty: &Type, owner: &str) -> TypeRef {
        let named = ty.inner_named_type();
        let named_rust = self.named_rust(named);
        let boxed = self.boxing.is_boxed(owner, ty) && !self.bindings.objects.contains_key(owner);
        let innermost = if boxed {
            quote!(Box<#named_rust>)
        } else {
            named_rust.clone()
        };
        let plainness = match &self.schema.types[named] {
            ExtendedType::Scalar(_) | ExtendedType::Enum(_) | ExtendedType::InputObject(_) => {
                Plainness::Leaf
            }
            _ if self.resolved.contains(named.as_str()) => Plainness::Resolved,
            _ => Plainness::Plain,
        };
        TypeRef {
            sdl: ty.to_string(),
            rust: rust_type(ty, &innermost),
            rust_non_null: rust_type(&ty.clone().non_null(), &innermost),
            named: named_rust,
            nullable: !ty.is_non_null(),
            built_in: BUILT_IN_SCALARS.contains(&named.as_str()),
            plainness,
        }
    }

    fn named_rust(&self, named: &str) -> TokenStream {
        let bound = self
            .bindings
            .objects
            .get(named)
            .or_else(|| self.bindings.scalars.get(named));
        match (named, bound) {
            ("Int", _) => quote!(i32),
            ("Float", _) => quote!(f64),
            ("String", _) => quote!(String),
            ("Boolean", _) => quote!(bool),
            ("ID", _) => quote!(async_graphql::ID),
            (_, Some(path)) => path_of(path),
            (named, None) => {
                let ident = name::of_type(named);
                quote!(#ident)
            }
        }
    }

    fn type_header(&self, name: &Name, description: Option<&str>) -> Header {
        self.header(
            name,
            name::of_type(name),
            description,
            &ast::DirectiveList::default(),
        )
    }

    fn header(
        &self,
        name: &Name,
        ident: Ident,
        description: Option<&str>,
        directives: &ast::DirectiveList,
    ) -> Header {
        let deprecated = directives.get("deprecated").map(|directive| {
            reason_of(directive).unwrap_or_else(|| "No longer supported".to_owned())
        });
        Header {
            place: self.place(name.location()),
            name: name.to_string(),
            ident,
            description: description.map(str::to_owned),
            deprecated,
        }
    }

    /// No two things of the contract get the same Rust name.
    fn check_names(&mut self, definitions: &[Definition]) {
        let mut items = Names::new("the crate's module");
        let mut clashes = Vec::new();
        for definition in definitions {
            let header = definition.header();
            items.take(&header.ident, header, &mut clashes);
            let mut inner = Names::new(&header.name);
            for child in definition.children() {
                inner.take(&child.ident, child, &mut clashes);
            }
            if let Definition::Object(object) | Definition::Subscription(object) = definition {
                items.take(&object.resolver_ident, header, &mut clashes);
                for field in &object.fields {
                    if let Some(ident) = &field.arguments_ident {
                        items.take(ident, &field.header, &mut clashes);
                    }
                    let mut inner = Names::new(&field.header.name);
                    for argument in &field.arguments {
                        inner.take(&argument.header.ident, &argument.header, &mut clashes);
                    }
                }
            }
        }
        for (place, message) in clashes {
            self.problems.add(place, message);
        }
    }
}

/// The Rust names taken in one scope.
struct Names {
    scope: String,
    taken: BTreeMap<String, String>,
}

impl Names {
    fn new(scope: &str) -> Self {
        Self {
            scope: scope.to_owned(),
            taken: BTreeMap::new(),
        }
    }

    fn take(&mut self, ident: &Ident, header: &Header, clashes: &mut Vec<(Place, String)>) {
        if let Some(other) = self.taken.insert(ident.to_string(), header.name.clone()) {
            let message = format!(
                "\"{}\" and \"{other}\" would both be `{ident}` in Rust (in {}); rename one",
                header.name, self.scope
            );
            clashes.push((header.place, message));
        }
    }
}

impl Definition {
    fn header(&self) -> &Header {
        match self {
            Self::Scalar(scalar) => &scalar.header,
            Self::Enum(definition) => &definition.header,
            Self::InputObject(input) => &input.header,
            Self::Object(object) | Self::Subscription(object) => &object.header,
            Self::Abstract(definition) => &definition.header,
        }
    }

    fn children(&self) -> Vec<&Header> {
        match self {
            Self::Scalar(_) | Self::Abstract(_) => Vec::new(),
            Self::Enum(definition) => definition.values.iter().collect(),
            Self::InputObject(input) => input.fields.iter().map(|field| &field.header).collect(),
            Self::Object(object) | Self::Subscription(object) => {
                object.fields.iter().map(|field| &field.header).collect()
            }
        }
    }
}

fn rust_type(ty: &Type, innermost: &TokenStream) -> TokenStream {
    match ty {
        Type::NonNullNamed(_) => innermost.clone(),
        Type::Named(_) => quote!(Option<#innermost>),
        Type::NonNullList(item) => {
            let item = rust_type(item, innermost);
            quote!(Vec<#item>)
        }
        Type::List(item) => {
            let item = rust_type(item, innermost);
            quote!(Option<Vec<#item>>)
        }
    }
}

fn path_of(path: &str) -> TokenStream {
    // A path that can't be parsed has been reported; nothing is printed then.
    path.parse().unwrap_or_default()
}

fn reason_of(directive: &Directive) -> Option<String> {
    directive
        .specified_argument_by_name("reason")
        .and_then(|value| value.as_str())
        .map(str::to_owned)
}

fn argument_of(directives: &DirectiveList, directive: &str, argument: &str) -> Option<String> {
    let directive = directives.get(directive)?;
    directive
        .specified_argument_by_name(argument)?
        .as_str()
        .map(str::to_owned)
}

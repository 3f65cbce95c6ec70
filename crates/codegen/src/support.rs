//! What generated code needs beside async-graphql: values without resolvers are written as JSON text by one loop, and
//! objects with resolvers are executed as the GraphQL specification says (section 6).
//!
//! async-graphql 7.2 executes fields of nested objects in the order of completion, leaves out those that failed, and does
//! not propagate nulls (<https://github.com/async-graphql/async-graphql/issues/1746>). [`resolve_object`] and
//! [`Complete`] do. They need three items that its documentation hides: `query_env.fragments`, `item` and `with_field`.

use std::{
    borrow::Cow,
    collections::{HashMap, HashSet},
    fmt::Write as _,
    future::{Future, poll_fn},
    pin::Pin,
    sync::{
        LazyLock, Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    task::Poll,
};

use async_graphql::{
    ContainerType, ContextSelectionSet, ID, Name, OutputType, PathSegment, Positioned,
    QueryPathSegment, ServerError, ServerResult, Value,
    parser::types::{Field, FragmentDefinition, Selection, SelectionSet},
    registry::Registry,
    resolver_utils::resolve_list,
};

/// An object type of the contract.
pub struct ObjectInfo {
    /// Its name.
    pub name: &'static str,
    /// The type conditions that apply to it: its own name, its interfaces and unions.
    pub conditions: &'static [&'static str],
    /// Its fields, each with whether its type is nullable.
    pub fields: &'static [(&'static str, bool)],
}

impl ObjectInfo {
    fn field(&self, name: &str) -> Option<usize> {
        self.fields.iter().position(|(field, _)| *field == name)
    }
}

/// Selection sets that are merged.
pub struct Selections<'a> {
    fragments: &'a HashMap<Name, Positioned<FragmentDefinition>>,
    sets: Vec<&'a SelectionSet>,
}

/// A field with the selection sets of all fields that have its response key.
struct Selected<'a> {
    field: &'a Positioned<Field>,
    sets: Vec<&'a SelectionSet>,
}

impl<'a> Selections<'a> {
    fn of(ctx: &ContextSelectionSet<'a>) -> Self {
        Self {
            fragments: &ctx.query_env.fragments,
            sets: vec![&ctx.item.node],
        }
    }

    /// Collects the fields that apply to an object type (GraphQL specification, sections 6.3.2 and 6.3.3,
    /// `CollectFields` and `CollectSubfields`). async-graphql has evaluated `@skip` and `@include`.
    fn collect(&self, conditions: &[&str]) -> Vec<Selected<'a>> {
        let mut collection = Collection {
            fragments: self.fragments,
            conditions,
            positions: HashMap::new(),
            visited: HashSet::new(),
            fields: Vec::new(),
        };
        for set in &self.sets {
            collection.add(set);
        }
        collection.fields
    }
}

struct Collection<'a, 'c> {
    fragments: &'a HashMap<Name, Positioned<FragmentDefinition>>,
    conditions: &'c [&'c str],
    /// The positions of the fields by their response keys.
    positions: HashMap<&'a Name, usize>,
    visited: HashSet<&'a Name>,
    fields: Vec<Selected<'a>>,
}

impl<'a> Collection<'a, '_> {
    fn add(&mut self, set: &'a SelectionSet) {
        for selection in &set.items {
            match &selection.node {
                Selection::Field(field) => self.add_field(field),
                Selection::InlineFragment(inline) => {
                    let condition = inline.node.type_condition.as_ref();
                    if condition.is_none_or(|condition| self.applies(&condition.node.on.node)) {
                        self.add(&inline.node.selection_set.node);
                    }
                }
                Selection::FragmentSpread(spread) => {
                    let name = &spread.node.fragment_name.node;
                    if let Some(fragment) = self.fragments.get(name)
                        && self.applies(&fragment.node.type_condition.node.on.node)
                        && self.visited.insert(name)
                    {
                        self.add(&fragment.node.selection_set.node);
                    }
                }
            }
        }
    }

    fn add_field(&mut self, field: &'a Positioned<Field>) {
        let (next, set) = (self.fields.len(), &field.node.selection_set.node);
        let position = self.positions.entry(&field.node.response_key().node);
        let position = *position.or_insert(next);
        if position == next {
            let sets = Vec::new();
            self.fields.push(Selected { field, sets });
        }
        if !set.items.is_empty() {
            self.fields[position].sets.push(set);
        }
    }

    fn applies(&self, condition: &str) -> bool {
        self.conditions.contains(&condition)
    }
}

/// What is written of a value.
pub enum Plan {
    /// A scalar or an enum.
    Leaf,
    /// The fields of an object.
    Object {
        /// The keys of the steps, each with what precedes its value.
        keys: String,
        /// The selected fields.
        steps: Vec<Step>,
    },
    /// A plan for each possible type of an interface or union.
    Abstract(Vec<Plan>),
}

/// A selected field.
pub struct Step {
    /// The end of its key in the keys of the plan.
    end: usize,
    /// Its position among the fields of the object; `None` for `__typename`.
    field: Option<usize>,
    plan: Plan,
}

impl Plan {
    /// The plan of the possible type at this position.
    pub fn member(&self, position: usize) -> &Self {
        match self {
            Self::Abstract(members) => members.get(position).unwrap_or(&Self::Leaf),
            _ => &Self::Leaf,
        }
    }
}

/// Plans the selected fields of an object; `plan` is the plan of the field at a position.
pub fn plan_object(
    selections: &Selections<'_>,
    object: &ObjectInfo,
    plan: impl Fn(usize, &Selections<'_>) -> Plan,
) -> Plan {
    let fragments = selections.fragments;
    let selected = selections.collect(object.conditions);
    let mut keys = String::with_capacity(selected.len() * 16);
    let steps = selected.into_iter().map(|Selected { field, sets }| {
        keys.push_str(if keys.is_empty() { "{\"" } else { ",\"" });
        keys.push_str(&field.node.response_key().node);
        keys.push_str("\":");
        let (end, field) = (keys.len(), object.field(&field.node.name.node));
        let plan = match field {
            Some(field) if !sets.is_empty() => plan(field, &Selections { fragments, sets }),
            _ => Plan::Leaf,
        };
        Step { end, field, plan }
    });
    let steps = steps.collect();
    Plan::Object { keys, steps }
}

/// A value without resolvers.
pub trait WriteJson {
    /// The plan of the selected fields.
    fn plan(_: &Selections<'_>) -> Plan {
        Plan::Leaf
    }

    /// Writes what is selected. A list or an object stops, incomplete, when the writer stops.
    fn write(&self, plan: &Plan, json: &mut JsonWriter);
}

/// Writes the selected fields of an object, whose field at a position `write` writes.
pub fn write_object(
    plan: &Plan,
    json: &mut JsonWriter,
    object: &ObjectInfo,
    write: impl Fn(usize, &Plan, &mut JsonWriter),
) {
    let Plan::Object { keys, steps } = plan else {
        return json.text.push_str("{}");
    };
    if steps.is_empty() {
        json.text.push('{');
    }
    let mut start = 0;
    for step in steps {
        let failures = json.failures.len();
        json.text.push_str(&keys[start..step.end]);
        match step.field {
            Some(field) => write(field, &step.plan, json),
            None => json.string(object.name),
        }
        if json.stops() {
            let key = keys[start..step.end]
                .get(2..)
                .and_then(|key| key.strip_suffix("\":"));
            let key = key.unwrap_or_default().to_owned();
            if json.stop(failures, &PathSegment::Field(key)) {
                return;
            }
        }
        start = step.end;
    }
    json.text.push('}');
}

/// JSON text, and the values in it that have no representation.
pub struct JsonWriter {
    text: String,
    max_bytes: usize,
    /// Whether the value that is written last has failed, and no nullable value contains it.
    failed: bool,
    /// The paths of failed values, from the inside to the outside.
    failures: Vec<Vec<PathSegment>>,
}

/// The size of an error in a response without its message.
const ERROR_BYTES: usize = 128;

impl JsonWriter {
    fn new(max_bytes: usize) -> Self {
        Self {
            text: String::new(),
            max_bytes,
            failed: false,
            failures: Vec::new(),
        }
    }

    /// Writes a string (RFC 8259, section 7).
    pub fn string(&mut self, text: &str) {
        let json = &mut self.text;
        json.push('"');
        let must_escape = |byte: u8| byte < b' ' || byte == b'"' || byte == b'\\';
        // Without an early end, so that it is vectorized.
        if text
            .bytes()
            .fold(false, |any, byte| any | must_escape(byte))
        {
            for letter in text.chars() {
                match letter {
                    '"' => json.push_str("\\\""),
                    '\\' => json.push_str("\\\\"),
                    '\n' => json.push_str("\\n"),
                    '\r' => json.push_str("\\r"),
                    '\t' => json.push_str("\\t"),
                    '\u{8}' => json.push_str("\\b"),
                    '\u{c}' => json.push_str("\\f"),
                    '\0'..' ' => self::write(json, format_args!("\\u{:04x}", u32::from(letter))),
                    _ => json.push(letter),
                }
            }
        } else {
            json.push_str(text);
        }
        json.push('"');
    }

    /// Writes the value of a scalar.
    pub fn value(&mut self, value: &Value) {
        match value {
            Value::Null => self.text.push_str("null"),
            Value::Number(number) => write(&mut self.text, format_args!("{number}")),
            Value::String(text) => self.string(text),
            Value::Enum(name) => self.string(name),
            Value::Boolean(value) => value.write(&Plan::Leaf, self),
            Value::Binary(bytes) => {
                let bytes: Vec<_> = bytes.iter().map(|byte| i32::from(*byte)).collect();
                bytes.write(&Plan::Leaf, self);
            }
            Value::List(items) => {
                self.text.push('[');
                for (index, item) in items.iter().enumerate() {
                    self.text.push_str(if index == 0 { "" } else { "," });
                    self.value(item);
                }
                self.text.push(']');
            }
            Value::Object(members) => {
                self.text.push('{');
                for (index, (key, member)) in members.iter().enumerate() {
                    self.text.push_str(if index == 0 { "" } else { "," });
                    self.string(key);
                    self.text.push(':');
                    self.value(member);
                }
                self.text.push('}');
            }
        }
    }

    /// Whether something is not as usual: a value failed, or the maximum size is exceeded.
    fn stops(&self) -> bool {
        !self.failures.is_empty() || self.text.len() > self.max_bytes
    }

    /// Adds the segment to the paths of the values that failed in it, and returns whether nothing more is written.
    #[cold]
    fn stop(&mut self, failures: usize, segment: &PathSegment) -> bool {
        for path in &mut self.failures[failures..] {
            path.push(segment.clone());
        }
        let errors = self.failures.len() * ERROR_BYTES;
        self.failed || self.text.len().saturating_add(errors) > self.max_bytes
    }
}

fn write(text: &mut String, arguments: std::fmt::Arguments<'_>) {
    text.write_fmt(arguments).expect("a text can be written");
}

impl<T: WriteJson> WriteJson for Option<T> {
    fn plan(selections: &Selections<'_>) -> Plan {
        T::plan(selections)
    }

    fn write(&self, plan: &Plan, json: &mut JsonWriter) {
        let start = json.text.len();
        if let Some(value) = self {
            value.write(plan, json);
            if !json.failed {
                return;
            }
            // The failed value propagates to here (GraphQL specification, section 6.4.4).
            json.failed = false;
            json.text.truncate(start);
        }
        json.text.push_str("null");
    }
}

impl<T: WriteJson> WriteJson for Vec<T> {
    fn plan(selections: &Selections<'_>) -> Plan {
        T::plan(selections)
    }

    fn write(&self, plan: &Plan, json: &mut JsonWriter) {
        json.text.push('[');
        for (index, item) in self.iter().enumerate() {
            if index > 0 {
                json.text.push(',');
            }
            let failures = json.failures.len();
            item.write(plan, json);
            if json.stops() && json.stop(failures, &PathSegment::Index(index)) {
                return;
            }
        }
        json.text.push(']');
    }
}

impl<T: WriteJson> WriteJson for Box<T> {
    fn plan(selections: &Selections<'_>) -> Plan {
        T::plan(selections)
    }

    fn write(&self, plan: &Plan, json: &mut JsonWriter) {
        T::write(self, plan, json);
    }
}

impl<T: WriteJson> WriteJson for &T {
    fn plan(selections: &Selections<'_>) -> Plan {
        T::plan(selections)
    }

    fn write(&self, plan: &Plan, json: &mut JsonWriter) {
        T::write(self, plan, json);
    }
}

impl WriteJson for String {
    fn write(&self, _: &Plan, json: &mut JsonWriter) {
        json.string(self);
    }
}

impl WriteJson for ID {
    fn write(&self, _: &Plan, json: &mut JsonWriter) {
        json.string(self);
    }
}

impl WriteJson for bool {
    fn write(&self, _: &Plan, json: &mut JsonWriter) {
        json.text.push_str(if *self { "true" } else { "false" });
    }
}

impl WriteJson for i32 {
    fn write(&self, _: &Plan, json: &mut JsonWriter) {
        write(&mut json.text, format_args!("{self}"));
    }
}

impl WriteJson for f64 {
    fn write(&self, _: &Plan, json: &mut JsonWriter) {
        if self.is_finite() {
            write(&mut json.text, format_args!("{self:?}"));
        } else {
            json.failed = true;
            json.failures.push(Vec::new());
        }
    }
}

/// A `String` that a getter returns.
pub type Text<'a> = Cow<'a, str>;

impl WriteJson for Text<'_> {
    fn write(&self, _: &Plan, json: &mut JsonWriter) {
        json.string(self);
    }
}

/// An `ID` that a getter returns.
pub enum Id {
    /// A text.
    Text(String),
    /// An integer, which is written as a string.
    Integer(i64),
}

impl WriteJson for Id {
    fn write(&self, _: &Plan, json: &mut JsonWriter) {
        match self {
            Self::Text(text) => json.string(text),
            Self::Integer(number) => write(&mut json.text, format_args!("\"{number}\"")),
        }
    }
}

impl OutputType for Id {
    fn type_name() -> Cow<'static, str> {
        <ID as OutputType>::type_name()
    }

    fn create_type_info(registry: &mut Registry) -> String {
        <ID as OutputType>::create_type_info(registry)
    }

    async fn resolve(
        &self,
        ctx: &ContextSelectionSet<'_>,
        _: &Positioned<Field>,
    ) -> ServerResult<Value> {
        written(self, ctx)
    }
}

/// The remaining size of a response in bytes. If a request has one in its data, values without resolvers stop when it is
/// used up; what they have written is incomplete and must not be sent.
pub struct ResponseBytes(AtomicUsize);

impl ResponseBytes {
    /// This size.
    pub fn new(max_bytes: usize) -> Self {
        Self(AtomicUsize::new(max_bytes))
    }

    fn remaining(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }

    fn take(&self, bytes: usize) {
        let rest = self.remaining().saturating_sub(bytes);
        self.0.store(rest, Ordering::Relaxed);
    }
}

/// A value that is written as JSON text.
pub struct Json<T>(pub T);

impl<T: WriteJson + OutputType> OutputType for Json<T> {
    fn type_name() -> Cow<'static, str> {
        T::type_name()
    }

    fn qualified_type_name() -> String {
        T::qualified_type_name()
    }

    fn create_type_info(registry: &mut Registry) -> String {
        T::create_type_info(registry)
    }

    async fn resolve(
        &self,
        ctx: &ContextSelectionSet<'_>,
        _: &Positioned<Field>,
    ) -> ServerResult<Value> {
        written(&self.0, ctx)
    }
}

/// Writes a value, and adds the errors of values in it that have no representation.
pub fn written<T: WriteJson>(value: &T, ctx: &ContextSelectionSet<'_>) -> ServerResult<Value> {
    let bytes = ctx.data_opt::<ResponseBytes>();
    let mut json = JsonWriter::new(bytes.map_or(usize::MAX, ResponseBytes::remaining));
    value.write(&T::plan(&Selections::of(ctx)), &mut json);
    let JsonWriter {
        text,
        failed,
        failures,
        ..
    } = json;
    let mut errors = failures.into_iter().map(|path| not_finite(ctx, path));
    // Nothing is written after a failed value that is in no nullable one.
    if failed && let Some(error) = errors.next_back() {
        errors.for_each(drop);
        return Err(error);
    }
    for error in errors {
        ctx.add_error(error);
    }
    if let Some(bytes) = bytes {
        bytes.take(text.len());
    }
    Ok(raw(text))
}

/// The error of a float that JSON cannot represent (GraphQL specification, section 3.5.2).
fn not_finite(ctx: &ContextSelectionSet<'_>, inside_out: Vec<PathSegment>) -> ServerError {
    let mut error = ServerError::new("a Float must be finite", None);
    let extensions = error.extensions.get_or_insert_default();
    extensions.set("code", "INTERNAL_SERVER_ERROR");
    error.path = inside_out;
    let nodes = std::iter::successors(ctx.path_node.as_ref(), |node| node.parent);
    error.path.extend(nodes.map(|node| match node.segment {
        QueryPathSegment::Index(index) => PathSegment::Index(index),
        QueryPathSegment::Name(name) => PathSegment::Field(name.to_owned()),
    }));
    error.path.reverse();
    error
}

/// The key by which `serde_json` recognizes JSON text in a value; async-graphql's feature `raw_value` does, too.
static RAW_VALUE: LazyLock<Name> = LazyLock::new(|| Name::new("$serde_json::private::RawValue"));

/// JSON text as a value.
fn raw(json: String) -> Value {
    let member = (RAW_VALUE.clone(), Value::String(json));
    Value::Object(std::iter::once(member).collect())
}

/// A value with resolvers.
pub trait Complete: Send + Sync {
    /// Completes the value (GraphQL specification, section 6.4.3). An error is that of a non-null value.
    fn complete(
        &self,
        ctx: &ContextSelectionSet<'_>,
        field: &Positioned<Field>,
    ) -> impl Future<Output = ServerResult<Value>> + Send;
}

impl<T: Complete> Complete for Option<T> {
    async fn complete(
        &self,
        ctx: &ContextSelectionSet<'_>,
        field: &Positioned<Field>,
    ) -> ServerResult<Value> {
        let Some(value) = self else {
            return Ok(Value::Null);
        };
        value.complete(ctx, field).await.or_else(|error| {
            ctx.add_error(error);
            Ok(Value::Null)
        })
    }
}

impl<T: Complete + OutputType> Complete for Vec<T> {
    async fn complete(
        &self,
        ctx: &ContextSelectionSet<'_>,
        field: &Positioned<Field>,
    ) -> ServerResult<Value> {
        let error = Mutex::new(None);
        let items = self.iter().map(|item| Item {
            item,
            error: &error,
        });
        let list = resolve_list(ctx, field, items, Some(self.len())).await?;
        match error.into_inner().unwrap_or_else(PoisonError::into_inner) {
            Some(error) => Err(error),
            None => Ok(list),
        }
    }
}

/// An item of a list. It keeps its error, whose path async-graphql would replace by its own.
struct Item<'a, T> {
    item: &'a T,
    error: &'a Mutex<Option<ServerError>>,
}

impl<T: Complete + OutputType> OutputType for Item<'_, T> {
    fn type_name() -> Cow<'static, str> {
        T::type_name()
    }

    fn create_type_info(registry: &mut Registry) -> String {
        T::create_type_info(registry)
    }

    async fn resolve(
        &self,
        ctx: &ContextSelectionSet<'_>,
        field: &Positioned<Field>,
    ) -> ServerResult<Value> {
        let completed = self.item.complete(ctx, field).await;
        Ok(completed.unwrap_or_else(|error| {
            let mut first = self.error.lock().unwrap_or_else(PoisonError::into_inner);
            first.get_or_insert(error);
            Value::Null
        }))
    }
}

/// A value with resolvers that is completed.
pub struct Completed<T>(pub T);

impl<T: Complete + OutputType> OutputType for Completed<T> {
    fn type_name() -> Cow<'static, str> {
        T::type_name()
    }

    fn qualified_type_name() -> String {
        T::qualified_type_name()
    }

    fn create_type_info(registry: &mut Registry) -> String {
        T::create_type_info(registry)
    }

    async fn resolve(
        &self,
        ctx: &ContextSelectionSet<'_>,
        field: &Positioned<Field>,
    ) -> ServerResult<Value> {
        self.0.complete(ctx, field).await
    }
}

/// Executes the selected fields of an object concurrently (GraphQL specification, section 6.3). An error is that of a
/// non-null field.
pub async fn resolve_object<T: ContainerType>(
    ctx: &ContextSelectionSet<'_>,
    object: &T,
    info: &ObjectInfo,
) -> ServerResult<Value> {
    let selected = Selections::of(ctx).collect(info.conditions);
    let fields: Vec<_> = selected.iter().map(merged).collect();
    // Boxed, because a type can contain itself.
    let values = fields.iter().map(|field| {
        let value: Pin<Box<dyn Future<Output = _> + Send>> =
            Box::pin(resolve_field(ctx, object, info, field));
        value
    });
    let values = join_all(values.collect()).await;
    let keys = fields
        .iter()
        .map(|field| field.node.response_key().node.clone());
    let members = keys.zip(values).map(|(key, value)| Ok((key, value?)));
    Ok(Value::Object(members.collect::<ServerResult<_>>()?))
}

/// The field with all its selection sets.
fn merged<'a>(selected: &Selected<'a>) -> Cow<'a, Positioned<Field>> {
    if selected.sets.len() < 2 {
        return Cow::Borrowed(selected.field);
    }
    let mut field = selected.field.clone();
    let items = selected
        .sets
        .iter()
        .flat_map(|set| set.items.iter().cloned());
    field.node.selection_set.node.items = items.collect();
    Cow::Owned(field)
}

async fn resolve_field<T: ContainerType>(
    ctx: &ContextSelectionSet<'_>,
    object: &T,
    info: &ObjectInfo,
    field: &Positioned<Field>,
) -> ServerResult<Value> {
    let name = &field.node.name.node;
    if name == "__typename" {
        return Ok(info.name.into());
    }
    let is_nullable = info.field(name).is_some_and(|field| info.fields[field].1);
    match object.resolve_field(&ctx.with_field(field)).await {
        Err(error) if is_nullable => {
            ctx.add_error(error);
            Ok(Value::Null)
        }
        resolved => Ok(resolved?.unwrap_or_default()),
    }
}

/// Waits for futures concurrently. The results are in their order.
async fn join_all<F: Future + Unpin>(mut futures: Vec<F>) -> Vec<F::Output> {
    let mut results: Vec<_> = futures.iter().map(|_| None).collect();
    poll_fn(|cx| {
        let mut is_pending = false;
        for (future, result) in futures.iter_mut().zip(&mut results) {
            if result.is_none() {
                match Pin::new(future).poll(cx) {
                    Poll::Ready(value) => *result = Some(value),
                    Poll::Pending => is_pending = true,
                }
            }
        }
        if is_pending {
            Poll::Pending
        } else {
            Poll::Ready(())
        }
    })
    .await;
    results.into_iter().flatten().collect()
}

/// The type of a field that interfaces declare, for any value of an object.
pub struct Declared<T>(std::marker::PhantomData<fn() -> T>);

impl<T, U> From<Json<U>> for Declared<T> {
    fn from(_: Json<U>) -> Self {
        Self(std::marker::PhantomData)
    }
}

impl<T, U> From<Completed<U>> for Declared<T> {
    fn from(_: Completed<U>) -> Self {
        Self(std::marker::PhantomData)
    }
}

impl<T: OutputType> OutputType for Declared<T> {
    fn type_name() -> Cow<'static, str> {
        T::type_name()
    }

    fn qualified_type_name() -> String {
        T::qualified_type_name()
    }

    fn create_type_info(registry: &mut Registry) -> String {
        T::create_type_info(registry)
    }

    async fn resolve(
        &self,
        _: &ContextSelectionSet<'_>,
        _: &Positioned<Field>,
    ) -> ServerResult<Value> {
        Ok(Value::Null)
    }
}

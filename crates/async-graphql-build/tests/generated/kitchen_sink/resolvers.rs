//! The resolvers of the root types.

use async_graphql::{Context, Error, ErrorExtensions as _, ID};
use futures_util::stream::{self, Stream, StreamExt};

use super::model::{Day, Human, Store, ada, contract::*};

pub struct Kitchen;

fn book() -> Book {
    let car = Car { id: "c".into(), wheels: 4, price: None };
    Book {
        id: "b".into(),
        name: Some("Book".to_owned()),
        pages: 9,
        sequel: Some(Box::new(car.clone().into())),
        related: Some(vec![car.into()]),
    }
}

fn car() -> Car {
    Car { id: "c".into(), wheels: 4, price: Some(1.0) }
}

fn measurement(value: f64, parts: Vec<Measurement>) -> Measurement {
    Measurement { text: Some("a \"text\": [{,".to_owned()), value, margin: None, series: None, parts: Some(parts) }
}

fn found(key: LookupKey) -> String {
    match key {
        LookupKey::ById(id) => format!("id {}", id.as_str()),
        LookupKey::ByName(name) => format!("name {name}"),
        LookupKey::ByDate(date) => format!("date {date}"),
    }
}

fn nothing() -> Everything {
    Everything {
        int: None,
        int_required: 0,
        float: None,
        string: None,
        boolean: None,
        id: None,
        date: None,
        kind: Some(Kind::Book),
        r#type: None,
        crate_: None,
        nested: None,
        http_status: None,
        aB: None,
        a_b: None,
    }
}

impl SubscriptionResolver for Kitchen {
    type Error = Error;

    async fn ticks(
        &self,
        _: &Context<'_>,
        arguments: SubscriptionTicksArguments<i32, Option<i32>>,
    ) -> Result<impl Stream<Item = Result<i32, Error>>, Error> {
        let numbers = stream::iter(1..=arguments.count);
        Ok(numbers.map(move |number| match arguments.fail_after {
            Some(last) if number > last => Err(public("too many")),
            _ => Ok(number),
        }))
    }

    async fn things(&self, _: &Context<'_>) -> Result<impl Stream<Item = Result<Option<Thing>, Error>>, Error> {
        let thing = Thing { name: "thing".to_owned() };
        Ok(stream::iter([Ok(Some(thing)), Ok(None)]))
    }

    async fn shops(&self, _: &Context<'_>) -> Result<impl Stream<Item = Result<Option<Vec<Store>>, Error>>, Error> {
        Ok(stream::once(async { Ok(Some(vec![Store])) }))
    }

    async fn refused(&self, _: &Context<'_>) -> Result<impl Stream<Item = Result<Option<i32>, Error>>, Error> {
        let refused = Err(public("refused"));
        refused.map(|()| stream::empty())
    }
}

impl QueryResolver for Kitchen {
    type Error = Error;

    async fn greeting(
        &self,
        _: &Context<'_>,
        arguments: QueryGreetingArguments<String, Option<bool>>,
    ) -> Result<String, Error> {
        let greeting = format!("hello, {}", arguments.name);
        Ok(if arguments.shout == Some(true) { greeting.to_uppercase() } else { greeting })
    }

    async fn everything(&self, _: &Context<'_>) -> Result<Option<Everything>, Error> {
        Ok(Some(Everything {
            int: Some(-1),
            int_required: i32::MAX,
            float: Some(0.5),
            string: Some("text 🚙".to_owned()),
            boolean: Some(true),
            id: Some(1.into()),
            date: Some(Day(2024, 2, 29)),
            kind: Some(Kind::CarWithWheels),
            r#type: Some("a type".to_owned()),
            crate_: Some(false),
            nested: Some(Box::new(nothing())),
            http_status: Some(200),
            aB: Some(3),
            a_b: Some(4),
        }))
    }

    async fn lists(&self, _: &Context<'_>) -> Result<Lists, Error> {
        Ok(Lists {
            grid: vec![vec![1, 2], Vec::new()],
            sparse: Some(vec![Some(vec![Some(vec![Some("a".to_owned()), None]), None]), None]),
            things: Some(vec![Some(vec![Some(Thing { name: "thing".to_owned() }), None]), None]),
        })
    }

    async fn search(
        &self,
        _: &Context<'_>,
        arguments: QuerySearchArguments<String, Option<Vec<Kind>>>,
    ) -> Result<Vec<SearchResult>, Error> {
        assert_eq!(arguments.text, "x");
        assert_eq!(arguments.kinds, Some(vec![Kind::Book, Kind::CarWithWheels]));
        Ok(vec![book().into(), car().into()])
    }

    async fn node(
        &self,
        _: &Context<'_>,
        QueryNodeArguments { id }: QueryNodeArguments<ID>,
    ) -> Result<Option<Node>, Error> {
        Ok(match id.as_str() {
            "b" => Some(book().into()),
            "c" => Some(car().into()),
            _ => None,
        })
    }

    async fn echo(&self, _: &Context<'_>, arguments: QueryEchoArguments<Input>) -> Result<String, Error> {
        Ok(format!("{:?}", arguments.input))
    }

    async fn lookups(
        &self,
        _: &Context<'_>,
        arguments: QueryLookupsArguments<Vec<LookupKey>>,
    ) -> Result<Option<Vec<String>>, Error> {
        Ok(Some(arguments.by.into_iter().map(found).collect()))
    }

    async fn person(
        &self,
        _: &Context<'_>,
        QueryPersonArguments { name }: QueryPersonArguments<String>,
    ) -> Result<Option<Human>, Error> {
        Ok(Some(ada()).filter(|human| human.name == name))
    }

    async fn shop(&self, _: &Context<'_>) -> Result<Option<Store>, Error> {
        Ok(Some(Store))
    }

    async fn fails(&self, _: &Context<'_>) -> Result<Option<i32>, Error> {
        Err(public("public words"))
    }

    async fn oldest(&self, _: &Context<'_>) -> Result<Option<String>, Error> {
        Ok(None)
    }

    async fn self_(&self, _: &Context<'_>) -> Result<Option<Self_>, Error> {
        Ok(Some(Self_ { self_: Some("me".to_owned()), super_: Some("above".to_owned()) }))
    }

    async fn numbers(
        &self,
        _: &Context<'_>,
        QueryNumbersArguments { grid }: QueryNumbersArguments<Vec<Option<Vec<i32>>>>,
    ) -> Result<Option<Vec<Vec<Option<i32>>>>, Error> {
        let rows = grid.into_iter().map(|row| row.unwrap_or_default().into_iter().map(Some).collect());
        Ok(Some(rows.collect()))
    }

    async fn optional(
        &self,
        _: &Context<'_>,
        QueryOptionalArguments { value }: QueryOptionalArguments<Option<i32>>,
    ) -> Result<String, Error> {
        Ok(value.map_or_else(|| "null".to_owned(), |value| value.to_string()))
    }

    async fn defaults(
        &self,
        _: &Context<'_>,
        arguments: QueryDefaultsArguments<Day, Option<Vec<Option<Day>>>, LookupKey, Changes>,
    ) -> Result<Vec<String>, Error> {
        let QueryDefaultsArguments { on, days, by, changes } = arguments;
        let days = format!("{days:?}");
        Ok(vec![on.to_string(), days, found(by), format!("{changes:?}")])
    }

    async fn merchant(
        &self,
        _: &Context<'_>,
        QueryMerchantArguments { name }: QueryMerchantArguments<String>,
    ) -> Result<Option<Merchant>, Error> {
        Ok(match name.as_str() {
            "shop" => Some(Store.into()),
            "Ada" => Some(ada().into()),
            "none" => Some(measurement(f64::NAN, Vec::new()).into()),
            _ => None,
        })
    }

    async fn measurements(&self, _: &Context<'_>) -> Result<Option<Vec<Option<Measurement>>>, Error> {
        let good = measurement(1.0, Vec::new());
        let bad = measurement(f64::NAN, Vec::new());
        let parts = |parts| Some(measurement(2.0, parts));
        Ok(Some(vec![
            Some(good.clone()),
            Some(Measurement {
                margin: Some(f64::INFINITY),
                series: Some(vec![1.0, f64::NEG_INFINITY, f64::NAN]),
                ..good.clone()
            }),
            parts(vec![good.clone(), bad.clone(), bad.clone()]),
            Some(measurement(f64::NAN, vec![bad])),
            parts(vec![good]),
        ]))
    }

    async fn ratio(&self, _: &Context<'_>) -> Result<f64, Error> {
        Ok(f64::NAN)
    }

    async fn context(&self, ctx: &Context<'_>) -> Result<Vec<String>, Error> {
        let contexts = InContextDirective::of(ctx)?.into_iter();
        Ok(contexts.map(|context| format!("{:?} {:?}", context.kind, context.kinds)).collect())
    }
}

impl MutationResolver for Kitchen {
    type Error = Error;

    async fn r#async(
        &self,
        _: &Context<'_>,
        MutationAsyncArguments { r#await, r#fn }: MutationAsyncArguments<Option<bool>, Option<String>>,
    ) -> Result<Option<bool>, Error> {
        Ok(r#await.filter(|_| r#fn.is_some()))
    }

    async fn change(
        &self,
        _: &Context<'_>,
        MutationChangeArguments { changes }: MutationChangeArguments<Changes>,
    ) -> Result<String, Error> {
        Ok(format!("{changes:?}"))
    }
}

/// An error whose message is for clients.
fn public(message: &str) -> Error {
    let error = Error::new(message);
    error.extend_with(|_, extensions| extensions.set("code", "BAD_USER_INPUT"))
}

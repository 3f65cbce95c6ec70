//! Recorded use: the formats of Prometheus, changes that affect nobody, reports.

#![allow(missing_docs, clippy::expect_used, reason = "a test fails by panicking")]
#![allow(clippy::needless_raw_string_hashes, reason = "expect-test generates them")]

use std::error::Error;

use expect_test::expect;
use graphql_schema_review::{
    Review, diff,
    report::{self, Colours},
    usage::Usage,
};
use graphql_sdl::Schema;
use serde_json::json;

const OLD: &str = "
type Query {
  books(first: Int, filter: Filter, order: Order = NEW): [Book]
  old: Int @deprecated(reason: \"Use `books`.\")
}
type Book { id: ID title: String @deprecated notes: Note found: Found }
type Note { text: String }
input Filter { title: String pages: Int not: Not }
input Not { title: String @deprecated }
enum Order { NEW OLD @deprecated(reason: \"Slow.\") }
union Found = Book | Note
";

fn schema(sdl: &str) -> Schema {
    Schema::parse("schema.graphql", sdl).expect("it is valid")
}

fn usage(texts: &[&str]) -> Usage {
    let mut usage = Usage::default();
    for text in texts {
        usage.add(text).unwrap_or_else(|error| panic!("{error}"));
    }
    usage
}

/// The exposition of a service with this use by the client `web`, and of a field that no change affects.
fn exposition(used: &[&str]) -> String {
    let samples = used
        .iter()
        .map(|coordinate| format!("shop_field_requests_total{{coordinate=\"{coordinate}\",client=\"web\"}} 5\n"));
    let other = "shop_field_requests_total{coordinate=\"Query.kept\",client=\"ios\"} 1\n";
    samples.collect::<String>() + other
}

/// Replaces a text of the old schema.
fn changed(from: &str, to: &str) -> Schema {
    assert!(OLD.contains(from), "{from}");
    schema(&OLD.replace(from, to))
}

fn review(new: &Schema, usage: &Usage) -> Review {
    let old = schema(OLD);
    let mut review = Review::new(diff(&old, new));
    review.add_usage(usage, &old, new);
    review
}

/// The coordinates, levels and evidence of the changes with evidence.
fn evidence(review: &Review) -> Vec<String> {
    let changes = review.changes.iter();
    let lines = changes.filter_map(|reviewed| {
        let evidence = reviewed.usage.as_ref()?;
        let change = &reviewed.change;
        Some(format!("{} {}: {evidence}", change.level, change.coordinate))
    });
    lines.collect()
}

const NO_TITLE: (&str, &str) = ("title: String @deprecated notes", "notes");

/// A text of the old schema and of the new one, the changed coordinate, what affects it, and what does not.
type Case<'a> = ((&'a str, &'a str), &'a str, &'a [&'a str], &'a [&'a str]);

#[test]
fn a_change_is_breaking_exactly_if_a_client_uses_what_it_affects() {
    let required = ("first: Int,", "first: Int!,");
    let cases: [Case; 9] = [
        (NO_TITLE, "Book.title", &["Book.title"], &["Book.id", "Book"]),
        // A request that omits the argument names only the field.
        (required, "Query.books(first:)", &["Query.books"], &["Query.books(first:)"]),
        (("first: Int,", "first: Int! = 5,"), "Query.books(first:)", &["Query.books(first:)"], &["Query.books"]),
        (("first: Int,", "first: Float!,"), "Query.books(first:)", &["Query.books"], &["Query.old"]),
        (("first: Int,", "first: Float,"), "Query.books(first:)", &["Query.books(first:)"], &["Query.books"]),
        (("first: Int,", "first: Int, by: Int!,"), "Query.books(by:)", &["Query.books"], &["Query.old"]),
        (("pages: Int", "pages: Int by: Int!"), "Filter.by", &["Filter.title", "Filter"], &["Query.books(filter:)"]),
        ((" OLD @deprecated(reason: \"Slow.\")", ""), "Order.OLD", &["Order.OLD"], &["Order.NEW"]),
        (
            ("old: Int @deprecated(reason: \"Use `books`.\")", "old: String"),
            "Query.old",
            &["Query.old"],
            &["Query.books"],
        ),
    ];
    for ((from, to), coordinate, affects, others) in cases {
        let new = changed(from, to);
        for used in affects {
            let review = review(&new, &usage(&[&exposition(&[used])]));
            let expected = format!("breaking {coordinate}: used by web (5 requests)");
            assert_eq!(evidence(&review), [expected], "{used}");
            assert!(!review.passes());
        }
        for used in others {
            let review = review(&new, &usage(&[&exposition(&[used])]));
            let expected = format!("dangerous {coordinate}: no use seen in 2 samples of 2 clients");
            assert_eq!(evidence(&review), [expected], "{used}");
            assert!(review.passes());
        }
    }
}

#[test]
fn a_removed_type_is_used_by_its_name_and_by_its_members() {
    let without = OLD.replace("notes: Note", "").replace("type Note { text: String }", "").replace(" | Note", "");
    for used in ["Note", "Note.text"] {
        let review = review(&schema(&without), &usage(&[&exposition(&[used])]));
        let evidence = evidence(&review);
        let field = "dangerous Book.notes: no use seen in 2 samples of 2 clients";
        assert_eq!(evidence[0], field, "{used}");
        assert_eq!(evidence[2], "breaking Note: used by web (5 requests)");
    }
}

#[test]
fn what_the_values_of_variables_can_use_is_not_decided() {
    // A variable of the type `Filter` can have a value of `Not`.
    for (given, expected) in [
        (
            "Filter",
            "breaking Not.title: recorded use is no evidence: clients give 'Filter' in variables, whose values are not counted",
        ),
        ("Order", "dangerous Not.title: no use seen in 2 samples of 2 clients"),
    ] {
        let new = changed("title: String @deprecated }", "kept: Int }");
        let review = review(&new, &usage(&[&exposition(&[given])]));
        assert_eq!(evidence(&review), [expected]);
    }
}

#[test]
fn changes_without_coordinates_of_requests_are_not_decided() {
    let review = review(&changed("union Found = Book | Note", "union Found = Book"), &usage(&[&exposition(&[])]));
    let expected =
        "breaking Found: recorded use is no evidence: it does not decide changes of the kind UNION_MEMBER_REMOVED";
    assert_eq!(evidence(&review), [expected]);
}

#[test]
fn an_exposition_a_vector_and_a_matrix_are_read_alike() {
    let labels = |client| json!({ "coordinate": "Book.title", "client": client });
    let answer =
        |ty, result| json!({ "status": "success", "data": { "resultType": ty, "result": result } }).to_string();
    let vector = answer(
        "vector",
        json!([
            { "metric": labels("web"), "value": [1_764_338_779.2, "6.4"] },
            { "metric": labels("<b>\n\"|"), "value": [1_764_338_779, "2"] },
            { "metric": labels("gone"), "value": [1_764_338_779, "0"] },
        ]),
    );
    let matrix = answer(
        "matrix",
        json!([
            { "metric": labels("web"), "values": [[1_764_338_700, "7"], [1_764_338_760, "1"]] },
            { "metric": labels("<b>\n\"|"), "values": [[1_764_338_760, "2"]] },
            { "metric": labels("gone"), "values": [[1_764_338_760, "0"]] },
        ]),
    );
    let prometheus = "# HELP shop_field_requests_total Requests\n\
        # TYPE shop_field_requests_total counter\n\
        shop_requests_total{code=\"OK\"} 12\n\
        shop_field_requests_total{coordinate=\"Book.title\",client=\"web\"} 7\n\
        shop_field_requests_total{ client = \"<b>\\n\\\"|\", coordinate=\"Book.title\", } 2 1764338779000\n\
        shop_field_requests_total{instance=\"{}\",coordinate=\"Book.title\",client=\"gone\"} 0\n";
    let prometheus = prometheus.replace("client = ", "client=");
    let expected = ["breaking Book.title: used by web (7 requests), <b> \"| (2 requests)"];
    for text in [&vector, &matrix, &prometheus, &prometheus.replace("} 7\n", "} 7.0\n")] {
        let review = review(&changed(NO_TITLE.0, NO_TITLE.1), &usage(&[text]));
        assert_eq!(evidence(&review), expected, "{text}");
    }
    // Those of several services are added.
    let both = review(&changed(NO_TITLE.0, NO_TITLE.1), &usage(&[&vector, &prometheus]));
    let expected = ["breaking Book.title: used by web (14 requests), <b> \"| (4 requests)"];
    assert_eq!(evidence(&both), expected);
}

#[test]
fn a_text_without_recorded_use_is_refused_with_the_reason() {
    let errors = |text: &str| {
        let error = Usage::default().add(text).expect_err(text);
        let cause = error.source().map(|cause| format!(": {cause}"));
        format!("{error}{}", cause.unwrap_or_default())
    };
    let no_sample = "it has no sample of a counter …_field_requests_total; name the metrics of the service, or an \
                     answer of Prometheus about them";
    let empty = r#"{"status":"success","data":{"resultType":"vector","result":[]}}"#;
    for text in ["", "# EOF\n", "shop_requests_total{code=\"OK\"} 1\n", "\0\0", empty] {
        assert_eq!(errors(text), no_sample, "{text:?}");
    }
    let line = "line 2 is no sample of a counter with the labels coordinate and client in Prometheus's text format";
    let long = "x".repeat(1 << 20);
    for sample in [
        "",
        " 1",
        "{} 1",
        "{coordinate=\"Book.id\"} 1",
        "{coordinate=\"Book.id\",client=\"web\"}",
        "{coordinate=\"Book.id\",client=\"web\"} NaN",
        "{coordinate=\"Book.id\",client=\"web\"} -1",
        "{coordinate=\"Book.id\",client=\"web\\",
        "{coordinate=\"Book.id\",client=\"web",
        "{coordinate=\"Book.id\";client=\"web\"} 1",
        &format!("{{{long}"),
        &format!("{{coordinate=\"{long}"),
    ] {
        let text = format!("# HELP\nshop_field_requests_total{sample}\n");
        assert_eq!(errors(&text), line, "{sample:.99}");
    }
    let series = |metric: &str, value: &str| {
        format!(r#"{{"data":{{"result":[{{"metric":{{{metric}}},"value":[1,"{value}"]}}]}}}}"#)
    };
    let both = r#""coordinate":"Book.id","client":"web""#;
    let malformed = "series 1 of the answer is no count with the labels coordinate and client; query sum by \
                     (coordinate, client) (…)";
    for (metric, value) in [(r#""coordinate":"Book.id""#, "1"), (both, "NaN"), (both, "")] {
        assert_eq!(errors(&series(metric, value)), malformed, "{metric} {value}");
    }
    let refused = r#"{"status":"error","errorType":"bad_data","error":"parse \u001b error"}"#;
    assert_eq!(errors(refused), r#"Prometheus refused the query: "parse \u{1b} error""#);
    let nested = "{\"data\":".repeat(10_000);
    for text in ["{", "{\"data\":{\"result\":[1,\"5\"]}}", "{\"data\":7}", &nested] {
        let error = errors(text);
        let json = "it is no vector or matrix of Prometheus's query API: ";
        assert!(error.starts_with(json), "{error}");
    }
}

#[test]
fn reports_list_the_clients_of_what_is_deprecated() {
    let one = exposition(&["Book.title", "Filter"])
        + "shop_field_requests_total{coordinate=\"Query.old\",client=\"<b>|`#1`\u{1b}\"} 40\n\
           shop_field_requests_total{coordinate=\"Query.old\",client=\"web\"} 50\n";
    let usage = usage(&[&one, &exposition(&["Book.title"])]);
    let deprecated = usage.deprecated(&schema(OLD));
    expect![[r#"
        deprecated: field 'Query.old': Use `books`.
          at schema.graphql:4:3
          web (50 requests)
          <b>|`#1`\u{1b} (40 requests)
        deprecated: field 'Book.title'
          at schema.graphql:6:20
          web (10 requests)
        deprecated: input field 'Not.title'
          at schema.graphql:9:13
          clients give 'Filter' in variables, whose values are not counted
        deprecated: enum value 'Order.OLD': Slow.
          at schema.graphql:10:18
          no use was recorded
        2 of 4 deprecated elements are used; 7 samples of 3 clients
    "#]]
    .assert_eq(&deprecated.report().text(Colours::None));
    expect![[r#"
        ### Deprecated: 2 of 4 deprecated elements are used; 7 samples of 3 clients

        | Level | What | Where | Details |
        |---|---|---|---|
        | deprecated | field 'Query.old': Use \`books\`. | schema.graphql:4:3 | web (50 requests)<br>&lt;b&gt;\|\`#<!-- -->1\`\\u{1b} (40 requests) |
        | deprecated | field 'Book.title' | schema.graphql:6:20 | web (10 requests) |
        | deprecated | input field 'Not.title' | schema.graphql:9:13 | clients give 'Filter' in variables, whose values are not counted |
        | deprecated | enum value 'Order.OLD': Slow. | schema.graphql:10:18 | no use was recorded |
    "#]].assert_eq(&deprecated.report().markdown());
    let json: serde_json::Value = serde_json::from_str(&report::json(&deprecated)).expect("it is JSON");
    assert_eq!(json["samples"], 7);
    let web = json!({ "client": "web", "requests": 50 });
    assert_eq!(json["deprecated"][0]["clients"][0], web);
    assert_eq!(json["deprecated"][2]["in_variables"], "Filter");
}

#[test]
fn reports_of_changes_have_the_evidence() {
    let new = changed(NO_TITLE.0, NO_TITLE.1);
    let review = review(&new, &usage(&[&exposition(&["Book.title"])]));
    let text = review.report().text(Colours::None);
    assert!(text.contains("\n  used by web (5 requests)\n"), "{text}");
    let markdown = review.report().markdown();
    assert!(markdown.contains("<br>used by web (5 requests) |"), "{markdown}");
    let json: serde_json::Value = serde_json::from_str(&report::json(&review.changes)).expect("it is JSON");
    let used = json!({ "verdict": "used", "clients": [{ "client": "web", "requests": 5 }] });
    assert_eq!(json[0]["usage"], used);
}

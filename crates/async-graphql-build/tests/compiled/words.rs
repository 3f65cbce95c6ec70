//! Contracts in which every keyword of Rust, and every name that the generated code uses, is a name of each kind, and deep ones.

/// The keywords of every edition, and names that the generated code uses.
const WORDS: &str = "as break const continue crate dyn else enum extern false fn for if impl in let loop match mod move \
    mut pub ref return self Self static struct super trait true type unsafe use where while async await gen abstract \
    become box do final macro override priv try typeof unsized virtual yield auto default macro_rules raw safe union \
    Box Clone Copy CONTRACT Debug Eq Err From Hash Into None Ok Option PartialEq R Result SDL Send Some Sync Vec \
    arguments async_graphql bool child_complexity ctx events f64 field i32 json resolve std str support usize value variables";

/// A complexity of `Query.all` that uses what the generated code declares.
pub(crate) const COMPLEXITY: &str = "child_complexity as usize + ctx as usize + variables as usize";

/// Contracts, each with a name: of every word as a field, an argument, an input, a value of an enum and a subscription, also
/// where two names would become equal; of every word as a type of each kind; and of lists, types and default values in such depth that
/// the compiler needs a limit, or that what doubles at each level does not end.
pub(crate) fn contracts() -> Vec<(&'static str, String)> {
    let all = |print: &dyn Fn(&str) -> String| WORDS.split_whitespace().map(print).collect::<String>();
    let inputs = all(&|word| format!("{word}: Int! = 1 "));
    let fields = all(&|word| format!("{word}({word}: Int, _{word}_: Int): Int _{word}_: Int "));
    let events = all(&|word| format!("{word}({word}: Int): Int "));
    let values = all(&|word| match word {
        "true" | "false" => format!("_{word} "),
        word => format!("{word} _{word}_ "),
    });
    let choices = all(&|word| format!("{word}: Int _{word}_: Int "));
    let words = format!(
        "type Query {{ all({inputs}): Int of(value: Value = self, input: Input = {{gen: 2}}, choice: Choice = {{gen: 3}}): Value {fields} }}
        type Subscription {{ {events} }}
        type Plain {{ {choices} }}
        enum Value {{ {values} }}
        input Input {{ {inputs} }}
        input Choice @oneOf {{ {choices} }}
        extend type Query {{ plain: Plain }}"
    );
    let query = "type Query { all(ctx: Int! = 1, variables: Int! = 1): Int";
    let types = |print: &dyn Fn(&str) -> String| format!("{query} }} {}", all(print));
    let every = all(&|word| format!("& {word} "));
    let list = format!("{}Int{}", "[".repeat(40), "]".repeat(40));
    let chain = (0..26).map(|at| format!("type T{at} {{ next: [T{}] }} ", at + 1));
    let chain: String = chain.collect();
    let defaults = (0..18).map(|at| format!("input I{at} {{ a: I{0}! = {{}} b: [I{0}] = {{}} }} ", at + 1));
    let defaults: String = defaults.collect();
    vec![
        ("of_lists", format!("{query} list(of: {list} = [[]]): {list} }}")),
        ("of_chain", format!("{query} first: T0 }} {chain} type T26 {{ a: Int }}")),
        ("of_defaults", format!("{query} of(i: I0 = {{}}): Int }} {defaults} input I18 {{ c: Int = 1 }}")),
        ("words", words),
        ("objects", types(&|word| format!("type {word} {{ a: Int }} type _{word}_ {{ a: {word} }} "))),
        (
            "of_interfaces",
            types(&|word| format!("interface {word} {{ a: Int }} "))
                + &format!("type All implements {every} {{ a: Int }}"),
        ),
        ("unions", types(&|word| format!("union {word} = All ")) + "type All { a: Int }"),
        ("enums", types(&|word| format!("enum {word} {{ A }} "))),
        ("inputs", types(&|word| format!("input {word} {{ a: Int }} "))),
    ]
}

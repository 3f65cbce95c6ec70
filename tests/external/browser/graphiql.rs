//! Drives GraphiQL as a user does.

use serde_json::{Value, json};

use super::{chromium::Browser, devtools::Devtools};

/// GraphiQL, open in a browser.
pub(crate) struct Graphiql {
    /// The URL of the service, without a trailing slash.
    url: String,
    pub(crate) devtools: Devtools,
    _browser: Browser,
}

/// An editor of the page.
#[derive(Clone, Copy)]
pub(crate) enum Editor {
    Query,
    Variables,
    Headers,
}

impl Graphiql {
    /// Opens the page and waits until it has loaded.
    pub(crate) async fn open(url: &str) -> Self {
        Self::open_in(url, "light").await
    }

    /// Opens the page with the system colour scheme `light` or `dark`.
    pub(crate) async fn open_in(url: &str, colour_scheme: &str) -> Self {
        let browser = Browser::start();
        let mut devtools = Devtools::connect(&browser.devtools).await;
        let scheme = json!({ "name": "prefers-color-scheme", "value": colour_scheme });
        let media = json!({ "features": [scheme] });
        devtools.command("Emulation.setEmulatedMedia", media).await;
        let page = json!({ "url": format!("{url}/graphiql") });
        let navigated = devtools.command("Page.navigate", page).await;
        assert!(navigated["errorText"].is_null(), "{navigated}");
        let mut graphiql = Self { url: url.to_owned(), devtools, _browser: browser };
        graphiql.devtools.until_requested("graphql-worker").await;
        graphiql
    }

    /// The visible text of an element, with normal spaces.
    pub(crate) async fn text(&mut self, selector: &str) -> String {
        let shown = self.devtools.evaluate(&shown_text(selector)).await;
        shown.as_str().unwrap_or_default().to_owned()
    }

    /// Waits until an element contains a text.
    pub(crate) async fn wait_for_text(&mut self, selector: &str, text: &str) {
        let condition = format!("({}).includes({})", shown_text(selector), json!(text));
        self.devtools.until(&condition).await;
    }

    /// Waits until GraphiQL has read and stored the query editor, which it does with a delay after a
    /// change.
    pub(crate) async fn wait_until_stored(&mut self, text: &str) {
        let condition = format!(
            "Object.keys(localStorage).some((key) => key.endsWith(':query') && localStorage[key].includes({}))",
            json!(text)
        );
        self.devtools.until(&condition).await;
    }

    /// Clicks the centre of an element, once it is present and does not move.
    pub(crate) async fn click(&mut self, selector: &str) {
        let element = format!("document.querySelector({})", json!(selector));
        self.click_on(&element).await;
    }

    /// Clicks on the element with this text.
    pub(crate) async fn click_text(&mut self, selector: &str, text: &str) {
        let element = format!(
            "[...document.querySelectorAll({})].find((element) => element.innerText.trim() === {})",
            json!(selector),
            json!(text)
        );
        self.click_on(&element).await;
    }

    async fn click_on(&mut self, element: &str) {
        let middle = format!(
            "(async () => {{
                const element = {element};
                const box = element?.getBoundingClientRect();
                if (!box?.width) return null;
                await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
                const [now, x, y] = [element.getBoundingClientRect(), box.x + box.width / 2, box.y + box.height / 2];
                const still = now.x === box.x && now.y === box.y && now.width === box.width;
                return still && element.contains(document.elementFromPoint(x, y)) ? [x, y] : null;
            }})()"
        );
        let middle = self.devtools.until(&middle).await;
        for kind in ["mousePressed", "mouseReleased"] {
            let event = json!({
                "type": kind, "x": middle[0], "y": middle[1], "button": "left", "clickCount": 1,
            });
            self.devtools.command("Input.dispatchMouseEvent", event).await;
        }
    }

    /// Replaces the content of an editor by typing.
    pub(crate) async fn write(&mut self, editor: Editor, text: &str) {
        let selector = match editor {
            Editor::Query => ".graphiql-query-editor .view-lines",
            Editor::Variables | Editor::Headers => ".graphiql-editor-tool .graphiql-editor:not(.hidden) .view-lines",
        };
        self.click(selector).await;
        self.press_control("a", 65).await;
        // Otherwise the editor would close brackets and quotes around the replaced selection.
        self.press_control("Backspace", 8).await;
        let typed = json!({ "text": text });
        self.devtools.command("Input.insertText", typed).await;
        match editor {
            Editor::Query => self.wait_until_stored(text).await,
            Editor::Variables | Editor::Headers => self.wait_for_text(selector, text).await,
        }
    }

    /// Runs the operation with the button.
    pub(crate) async fn run(&mut self) {
        self.click(".graphiql-execute-button").await;
    }

    /// Runs the operation with the keyboard.
    pub(crate) async fn run_by_keyboard(&mut self) {
        self.press_control("Enter", 13).await;
    }

    /// Waits until the response contains a text.
    pub(crate) async fn wait_for_response(&mut self, text: &str) {
        self.wait_for_text(".result-window .view-lines", text).await;
    }

    /// Ends the test: there were no errors, and all requests went to the service.
    pub(crate) async fn close(mut self) {
        // The response to one more command guarantees that all earlier events are recorded.
        self.devtools.evaluate("true").await;
        let (url, devtools) = (&self.url, &self.devtools);
        let own = format!("{url}/");
        let foreign = |request: &&String| !request.starts_with(&own) && !is_local(request);
        let foreign: Vec<_> = devtools.requests.iter().filter(foreign).collect();
        assert!(foreign.is_empty(), "requests to other hosts: {foreign:#?}");
        let errors = &devtools.errors;
        assert!(errors.is_empty(), "{errors:#?}");
    }

    /// Presses a key together with Control.
    async fn press_control(&mut self, key: &str, code: u32) {
        for kind in ["rawKeyDown", "keyUp"] {
            let mut event = json!({
                "type": kind, "key": key, "code": key, "windowsVirtualKeyCode": code, "modifiers": 2,
            });
            if key == "a" {
                event["code"] = "KeyA".into();
                event["commands"] = json!(["selectAll"]);
            }
            self.devtools.command("Input.dispatchKeyEvent", event).await;
        }
    }

    /// Whether the page has a dark background.
    pub(crate) async fn is_dark(&mut self) -> bool {
        let background = "getComputedStyle(document.querySelector('.graphiql-container'))\
            .backgroundColor.match(/[\\d.]+/g).slice(0, 3).every((part) => part < 128)";
        self.devtools.evaluate(background).await == Value::Bool(true)
    }
}

/// Monaco renders spaces as non-breaking spaces.
fn shown_text(selector: &str) -> String {
    format!("(document.querySelector({})?.innerText ?? '').replaceAll('\\u00a0', ' ')", json!(selector))
}

fn is_local(request: &str) -> bool {
    ["data:", "blob:", "about:"].iter().any(|scheme| request.starts_with(scheme))
}

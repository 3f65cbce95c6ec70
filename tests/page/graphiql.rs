//! The page as a person uses it.

use std::path::Path;

use serde_json::{Value, json};

use crate::{browser::Browser, devtools::Devtools};

/// GraphiQL, open in a browser.
pub(crate) struct Graphiql {
    /// Where the service is found, without a slash at the end.
    url: String,
    pub(crate) devtools: Devtools,
    _browser: Browser,
}

/// Where a person types.
#[derive(Clone, Copy)]
pub(crate) enum Editor {
    Query,
    Headers,
}

impl Graphiql {
    /// Opens the page and waits until it knows the schema.
    pub(crate) async fn open(chromium: &Path, url: &str) -> Self {
        Self::open_in(chromium, url, "light").await
    }

    /// The same where the system is set to the colour scheme `light` or `dark`.
    pub(crate) async fn open_in(chromium: &Path, url: &str, colour_scheme: &str) -> Self {
        let browser = Browser::start(chromium);
        let mut devtools = Devtools::connect(&browser.devtools).await;
        let scheme = json!({ "name": "prefers-color-scheme", "value": colour_scheme });
        let media = json!({ "features": [scheme] });
        devtools.command("Emulation.setEmulatedMedia", media).await;
        let page = json!({ "url": format!("{url}/graphiql") });
        let navigated = devtools.command("Page.navigate", page).await;
        assert!(navigated["errorText"].is_null(), "{navigated}");
        let mut graphiql = Self {
            url: url.to_owned(),
            devtools,
            _browser: browser,
        };
        graphiql.devtools.until_asked_for("graphql-worker").await;
        graphiql
    }

    /// What is shown in a part of the page, with ordinary spaces.
    pub(crate) async fn text(&mut self, selector: &str) -> String {
        let shown = self.devtools.evaluate(&shown_text(selector)).await;
        shown.as_str().unwrap_or_default().to_owned()
    }

    /// Waits until a part of the page shows a text.
    pub(crate) async fn wait_for_text(&mut self, selector: &str, text: &str) {
        let condition = format!("({}).includes({})", shown_text(selector), json!(text));
        self.devtools.until(&condition).await;
    }

    /// Waits until GraphiQL has read the query editor, which it does a moment after a change. It
    /// then stores the query, and knows what to run.
    pub(crate) async fn wait_until_read(&mut self, text: &str) {
        let condition = format!(
            "Object.keys(localStorage).some((key) => key.endsWith(':query') && localStorage[key].includes({}))",
            json!(text)
        );
        self.devtools.until(&condition).await;
    }

    /// Clicks with the mouse into the middle of an element, once it is there and at rest.
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
            self.devtools
                .command("Input.dispatchMouseEvent", event)
                .await;
        }
    }

    /// Replaces what is in an editor by typing.
    pub(crate) async fn write(&mut self, editor: Editor, text: &str) {
        let selector = match editor {
            Editor::Query => ".graphiql-query-editor .view-lines",
            Editor::Headers => ".graphiql-editor-tool .graphiql-editor:not(.hidden) .view-lines",
        };
        self.click(selector).await;
        self.press("a", 65).await;
        let typed = json!({ "text": text });
        self.devtools.command("Input.insertText", typed).await;
        match editor {
            Editor::Query => self.wait_until_read(text).await,
            Editor::Headers => self.wait_for_text(selector, text).await,
        }
    }

    /// Runs the operation as its button does.
    pub(crate) async fn run(&mut self) {
        self.click(".graphiql-execute-button").await;
    }

    /// Runs the operation as the keyboard does.
    pub(crate) async fn run_by_keyboard(&mut self) {
        self.press("Enter", 13).await;
    }

    /// Waits until the answer shows a text.
    pub(crate) async fn wait_for_answer(&mut self, text: &str) {
        self.wait_for_text(".result-window .view-lines", text).await;
    }

    /// Ends the test: the page was content, and asked nobody but the service.
    pub(crate) async fn close(mut self) {
        // One more answer, so that everything which happened before it is known.
        self.devtools.evaluate("true").await;
        let (url, devtools) = (&self.url, &self.devtools);
        let own = format!("{url}/");
        let foreign = |request: &&String| !request.starts_with(&own) && !is_local(request);
        let foreign: Vec<_> = devtools.requests.iter().filter(foreign).collect();
        assert!(foreign.is_empty(), "asked elsewhere: {foreign:#?}");
        let complaints = &devtools.complaints;
        assert!(complaints.is_empty(), "{complaints:#?}");
    }

    /// A key together with Control.
    async fn press(&mut self, key: &str, code: u32) {
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

    /// The text and background colours of the page.
    pub(crate) async fn is_dark(&mut self) -> bool {
        let background = "getComputedStyle(document.querySelector('.graphiql-container'))\
            .backgroundColor.match(/[\\d.]+/g).slice(0, 3).every((part) => part < 128)";
        self.devtools.evaluate(background).await == Value::Bool(true)
    }
}

/// Monaco shows spaces as such that do not break.
fn shown_text(selector: &str) -> String {
    format!(
        "(document.querySelector({})?.innerText ?? '').replaceAll('\\u00a0', ' ')",
        json!(selector)
    )
}

fn is_local(request: &str) -> bool {
    ["data:", "blob:", "about:"]
        .iter()
        .any(|scheme| request.starts_with(scheme))
}

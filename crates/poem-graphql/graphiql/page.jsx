// The page at /graphiql: GraphiQL with the explorer. It sends requests only to the service that serves it.

import { explorerPlugin } from "@graphiql/plugin-explorer";
import { createGraphiQLFetcher, createLocalStorage } from "@graphiql/toolkit";
import { useGraphiQL } from "@graphiql/react";
import { GraphiQL, HISTORY_PLUGIN } from "graphiql";
import EditorWorker from "monaco-editor/esm/vs/editor/editor.worker.js?worker";
import JsonWorker from "monaco-editor/esm/vs/language/json/json.worker.js?worker";
import GraphqlWorker from "monaco-graphql/esm/graphql.worker.js?worker";
import { useEffect } from "react";
import { createRoot } from "react-dom/client";
// Separate imports, since `graphiql/style.css` embeds fonts and a second copy of the styles of Monaco.
import "@graphiql/react/style.css";
import "@graphiql/plugin-doc-explorer/style.css";
import "@graphiql/plugin-history/style.css";
import "graphiql/graphiql.css";
import "@graphiql/plugin-explorer/style.css";
import "./page.css";

const WORKERS = { graphql: GraphqlWorker, json: JsonWorker };

globalThis.MonacoEnvironment = {
  getWorker: (_id, label) => new (WORKERS[label] ?? EditorWorker)(),
};

// The server inserts the name and the title of the service, and the default tabs.
const { name, title, tabs } = JSON.parse(document.getElementById("settings").textContent);
document.title = title;

// Relative to the page, since a reverse proxy may serve the service under a path prefix.
const fetcher = createGraphiQLFetcher({
  url: new URL("graphql", document.baseURI).href,
  enableIncrementalDelivery: false,
});

// A separate namespace, since other services on the same origin would share GraphiQL's.
const storage = createLocalStorage({ namespace: name });

const plugins = [HISTORY_PLUGIN, explorerPlugin()];

// The pane below the query is open where the active tab has variables; GraphiQL has no property for that.
function VariablesPane() {
  const index = useGraphiQL(({ activeTabIndex }) => activeTabIndex);
  const hasVariables = useGraphiQL(({ tabs }) => Boolean(tabs[index].variables));
  useEffect(() => {
    const isOpen = document.querySelector(".graphiql-editor-tools .active") !== null;
    if (isOpen !== hasVariables) document.querySelector(".graphiql-toggle-editor-tools").click();
  }, [index]);
}

createRoot(document.getElementById("page")).render(
  <GraphiQL
    fetcher={fetcher}
    storage={storage}
    plugins={plugins}
    defaultQuery={tabs[0]?.query}
    defaultTabs={tabs.length > 0 ? tabs : undefined}
    defaultEditorToolsVisibility={Boolean(tabs[0]?.variables)}
    inputValueDeprecation
    schemaDescription
  >
    <GraphiQL.Logo>
      {title} <a href="schema.graphql">schema.graphql</a>
    </GraphiQL.Logo>
    <VariablesPane />
  </GraphiQL>,
);

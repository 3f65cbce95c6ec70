// The page at /graphiql: GraphiQL with the explorer, asking the service that served it and nobody else.

import { explorerPlugin } from "@graphiql/plugin-explorer";
import { createGraphiQLFetcher, createLocalStorage } from "@graphiql/toolkit";
import { GraphiQL, HISTORY_PLUGIN } from "graphiql";
import EditorWorker from "monaco-editor/esm/vs/editor/editor.worker.js?worker";
import JsonWorker from "monaco-editor/esm/vs/language/json/json.worker.js?worker";
import GraphqlWorker from "monaco-graphql/esm/graphql.worker.js?worker";
import { createRoot } from "react-dom/client";
// Piece by piece: `graphiql/style.css` has embedded fonts and a second copy of the styles of Monaco.
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

const LIST = `# The first ten vehicles.
# Ctrl-Enter runs the query.
# The next tab creates a vehicle.
query Vehicles {
  vehicles(count: 10) {
    id
    type
    modelCode
    brandName
    launchDate
  }
}
`;

const CREATE = `# Creates what the variables say.
mutation CreateVehicle(
  $type: String!
  $modelCode: String!
  $brandName: String
  $launchDate: String
) {
  createVehicle(
    type: $type
    modelCode: $modelCode
    brandName: $brandName
    launchDate: $launchDate
  ) {
    id
    type
    modelCode
    brandName
    launchDate
  }
}
`;

const VEHICLE = `{
  "type": "SUV",
  "modelCode": "XC60",
  "brandName": "Volvo",
  "launchDate": "2017-03-07"
}
`;

// Relative to the page, since a proxy may serve the service under a prefix.
const fetcher = createGraphiQLFetcher({
  url: new URL("graphql", document.baseURI).href,
  enableIncrementalDelivery: false,
});

// Of its own, since other services on the same host and port would share GraphiQL's.
const storage = createLocalStorage({ namespace: "vehicle-catalogue" });

const plugins = [HISTORY_PLUGIN, explorerPlugin()];

createRoot(document.getElementById("page")).render(
  <GraphiQL
    fetcher={fetcher}
    storage={storage}
    plugins={plugins}
    defaultQuery={LIST}
    defaultTabs={[{ query: LIST }, { query: CREATE, variables: VEHICLE }]}
    defaultEditorToolsVisibility="variables"
    inputValueDeprecation
  >
    <GraphiQL.Logo>
      Vehicle catalogue <a href="schema.graphql">schema.graphql</a>
    </GraphiQL.Logo>
  </GraphiQL>,
);

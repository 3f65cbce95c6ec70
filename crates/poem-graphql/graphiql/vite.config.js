// Builds the page into `dist/`: `index.html`, and its assets compressed in `assets/`.

import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { defineConfig } from "vite";

// The path of the assets relative to the page, which is served at /graphiql without a trailing slash.
const ASSETS_PATH = "graphiql/assets";

// Lower-case and hyphenated, like all paths of the service; the hash depends on the content.
const scriptName = ({ name }) =>
  `${ASSETS_PATH}/${name.toLowerCase().replace(/[^a-z0-9]+/g, "-")}-[hash].js`;

// The licences of the bundled packages, which change only with the lock file.
const lock = createHash("sha256").update(readFileSync("package-lock.json")).digest("hex");
const licences = `${ASSETS_PATH}/licences-${lock.slice(0, 8)}.txt`;

const rolldownOptions = {
  output: {
    assetFileNames: `${ASSETS_PATH}/[name]-[hash][extname]`,
    chunkFileNames: scriptName,
    entryFileNames: scriptName,
    hashCharacters: "hex",
  },
  // Directives such as "use client" have no effect in a bundle.
  onLog: (level, log, handle) => log.code === "MODULE_LEVEL_DIRECTIVE" || handle(level, log),
};

// A separate chunk, so that a change of the page changes one small file. Monaco and Prettier are loaded
// later and have chunks of their own.
const libraries = { name: "libraries", test: /node_modules\/(?!monaco|prettier)/ };

const compress = {
  name: "compress",
  writeBundle({ dir }) {
    const source = join(dir, ASSETS_PATH);
    mkdirSync(join(dir, "assets"));
    for (const file of readdirSync(source)) {
      const bytes = readFileSync(join(source, file));
      writeFileSync(join(dir, "assets", `${file}.gz`), gzipSync(bytes, { level: 9 }));
    }
    rmSync(join(dir, "graphiql"), { recursive: true });
  },
};

export default defineConfig({
  base: "./",
  build: {
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 4096,
    license: { fileName: licences },
    modulePreload: { polyfill: false },
    rolldownOptions: {
      ...rolldownOptions,
      output: { ...rolldownOptions.output, codeSplitting: { groups: [libraries] } },
    },
    target: "es2022",
  },
  plugins: [compress],
  worker: { format: "es", rolldownOptions },
});

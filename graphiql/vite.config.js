// Builds the page into `dist/`: `index.html` as it is, everything that it loads compressed in `assets/`.

import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { defineConfig } from "vite";

// Where the assets are, seen from the page, which is served at /graphiql without a trailing slash.
const SERVED_AT = "graphiql/assets";

// Lower-case and hyphenated, as every path of the service; the hash changes with the content.
const script = ({ name }) =>
  `${SERVED_AT}/${name.toLowerCase().replace(/[^a-z0-9]+/g, "-")}-[hash].js`;

// The licences of the bundled packages. Which those are changes only with the lock file.
const lock = createHash("sha256").update(readFileSync("package-lock.json")).digest("hex");
const licences = `${SERVED_AT}/licences-${lock.slice(0, 8)}.txt`;

const rolldownOptions = {
  output: {
    assetFileNames: `${SERVED_AT}/[name]-[hash][extname]`,
    chunkFileNames: script,
    entryFileNames: script,
    hashCharacters: "hex",
  },
  // Directives like "use client" mean nothing in a bundle.
  onLog: (level, log, handle) => log.code === "MODULE_LEVEL_DIRECTIVE" || handle(level, log),
};

// Apart from the page, so that a change of it changes one small file. Monaco and Prettier, which
// are loaded later, are apart anyway.
const libraries = { name: "libraries", test: /node_modules\/(?!monaco|prettier)/ };

const compress = {
  name: "compress",
  writeBundle({ dir }) {
    const written = join(dir, SERVED_AT);
    mkdirSync(join(dir, "assets"));
    for (const file of readdirSync(written)) {
      const bytes = readFileSync(join(written, file));
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

/** The limit that Node sets for headers, which is its default unless an option of Node may say otherwise. */
const maxHeaderSize = `() => /header|config/.test([...process.execArgv, process.env.NODE_OPTIONS].join())
  ? require('node:http').maxHeaderSize
  : 16384`;

/** What is replaced in files of packages as they are bundled, as pairs of what is there and what is put in its place. */
const edits = [
  {
    // Modules of Node that a plan never needs, and so a part of its start: they are asked for where they are used.
    file: /undici[\\/]lib[\\/]dispatcher[\\/]client\.js$/,
    pairs: [
      [
        "const connectH2 = require('./client-h2.js')",
        "const connectH2 = (...args) => require('./client-h2.js')(...args)",
      ],
      ["const http = require('node:http')\n", ""],
      [/const getDefaultNodeMaxHeaderSize = http &&[^}]*\}/, `const getDefaultNodeMaxHeaderSize = ${maxHeaderSize}`],
    ],
  },
  {
    file: /undici[\\/]lib[\\/]core[\\/]util\.js$/,
    pairs: [
      ["const { IncomingMessage } = require('node:http')\n", ""],
      [".constructor === IncomingMessage", ".constructor === require('node:http').IncomingMessage"],
    ],
  },
  {
    file: /undici[\\/]lib[\\/](api[\\/](api-\w+|readable)|core[\\/](connect|request|util)|dispatcher[\\/]client(-h1)?)\.js$/,
    pairs: [["= require('node:assert')", "= (value, ...words) => value || require('node:assert')(value, ...words)"]],
  },
  {
    file: /commander[\\/]lib[\\/]command\.js$/,
    pairs: [
      [
        "const childProcess = require('node:child_process');",
        "const childProcess = { spawn: (...args) => require('node:child_process').spawn(...args) };",
      ],
    ],
  },
  {
    // pdfkit reads the metrics of a font from a file beside itself: those that reports are set in are bundled with it.
    file: /pdfkit[\\/]js[\\/]pdfkit\.node\.mjs$/,
    pairs: [
      [
        "import { createRequire } from 'module';",
        [
          "import Helvetica from 'pdfkit/standard-fonts/Helvetica';",
          "import HelveticaBold from 'pdfkit/standard-fonts/HelveticaBold';",
        ].join("\n"),
      ],
      [
        "const require$1 = createRequire(import.meta.url);",
        "const require$1 = (name) => ({ '#standard-fonts/Helvetica': Helvetica, '#standard-fonts/HelveticaBold': HelveticaBold })[name];",
      ],
    ],
  },
];

/**
 * Packages that others would load for what nobody here asks of them, with what is bundled in their place: grpc-js reads .proto
 * files for services of its own (a fourth of the provider), pdfkit embeds fonts (a megabyte).
 */
const absent = {
  "@grpc/proto-loader": `exports.loadSync = () => { throw new Error("found no reader of .proto files in this program") };`,
  fontkit: `export function create() { throw new Error("found no reader of font files in this program"); }`,
};

const isAbsent = new RegExp(`^(${Object.keys(absent).join("|")})$`);

/** For rolldown: puts the edits into the packages, of which each must still have what it replaces, and leaves out what is absent. */
export const editPackages = {
  name: "edit-packages",
  resolveId: {
    filter: { id: isAbsent },
    handler: (id) => `\0absent:${id}`,
  },
  load: {
    filter: { id: /^\0absent:/ },
    handler: (id) => ({ code: absent[id.slice("\0absent:".length)], moduleType: "js" }),
  },
  transform: {
    filter: { id: edits.map(({ file }) => file) },
    handler(code, id) {
      const pairs = edits.filter(({ file }) => file.test(id)).flatMap((each) => each.pairs);
      for (const [found] of pairs)
        if (code.replace(found, "") === code)
          throw new Error(`found no \`${found}\` in ${id}; expected it: see scripts/edit-packages.js`);
      return pairs.reduce((text, [found, instead]) => text.replace(found, () => instead), code);
    },
  },
};

/** For esbuild: leaves out what is absent. */
export const withoutAbsent = {
  name: "without-absent",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: isAbsent }, ({ path }) => ({ path, namespace: "absent" }));
    onLoad({ filter: /.*/, namespace: "absent" }, ({ path }) => ({ contents: absent[path] }));
  },
};

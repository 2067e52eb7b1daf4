import type { Json } from "../../src/model/json.ts";

/** A change of one field. */
export interface Asked {
  readonly field?: string;
  readonly old?: Json;
  readonly next?: Json;
  readonly whole?: boolean;
  readonly raw?: Json;
}

/** A change, and what the file then is. */
export interface Case extends Asked {
  readonly text: string;
  readonly becomes: string;
}

/** One change each; everything else stays as it is, to the byte. */
export const cases: Readonly<Record<string, Case>> = {
  "a plain text, its comment kept": {
    text: "# head\ntestCases:\n  a:   # the one\n    name:   A     # odd\n    description:  old    # why\n",
    next: "new",
    becomes: "# head\ntestCases:\n  a:   # the one\n    name:   A     # odd\n    description:  new    # why\n",
  },
  "double quotes stay double": {
    text: 'testCases:\n  a: {"description": "old",name: A}\n',
    next: "new",
    becomes: 'testCases:\n  a: {"description": "new",name: A}\n',
  },
  "single quotes stay single": {
    text: "testCases:\n  a:\n    description: 'old'\n",
    next: "it's new",
    becomes: "testCases:\n  a:\n    description: 'it''s new'\n",
  },
  "a number": {
    text: "testCases: { a: { description: 20, name: x } }\n",
    next: 99,
    becomes: "testCases: { a: { description: 99, name: x } }\n",
  },
  "a block text by another": {
    text: "testCases:\n  a:\n    description: |\n      one\n      two\n\n    # about the name\n    name: x\n",
    next: "three\nfour\n",
    becomes: "testCases:\n  a:\n    description: |\n      three\n      four\n\n    # about the name\n    name: x\n",
  },
  "a block text by one line": {
    text: "testCases:\n  a:\n    description: |\n      one\n      two\n    name: x\n",
    next: "three",
    becomes: "testCases:\n  a:\n    description: three\n    name: x\n",
  },
  "one line by a text of several": {
    text: "testCases:\n  a:\n    description: one\n    name: x\n",
    next: "three\n\nfour\n",
    becomes: "testCases:\n  a:\n    description: |\n      three\n\n      four\n    name: x\n",
  },
  "several lines within brackets": {
    text: "testCases: { a: { description: one } }\n",
    next: "three\nfour",
    becomes: 'testCases: { a: { description: "three\\nfour" } }\n',
  },
  "a text that would be replaced when read": {
    text: "testCases: { a: { description: one } }\n",
    next: "${env:HOME} ${x}",
    becomes: 'testCases: { a: { description: "$${env:HOME} $${x}" } }\n',
  },
  "a field without a value": {
    text: "testCases:\n  a:\n    description:\n    name: x\n",
    next: "new",
    becomes: "testCases:\n  a:\n    description: new\n    name: x\n",
  },
  "a new field in its usual place": {
    text: "testCases:\n  a:\n    name: x # first\n\n    # about the profile\n    profileType: Flat\n",
    next: "new",
    becomes:
      "testCases:\n  a:\n    name: x # first\n    description: new\n\n    # about the profile\n    profileType: Flat\n",
  },
  "a new field before all others": {
    text: "testCases:\n  a:\n    # about it\n    description: x\n",
    field: "name",
    next: "A",
    becomes: "testCases:\n  a:\n    # about it\n    name: A\n    description: x\n",
  },
  "a new field within brackets": {
    text: "testCases: { a: { name: x, profileType: Flat } }\n",
    next: "new",
    becomes: "testCases: { a: { name: x, description: new, profileType: Flat } }\n",
  },
  "the first field of an object without any": {
    text: "testCases:\n  a:\n  b: {}\n",
    next: "new",
    becomes: "testCases:\n  a:\n    description: new\n  b: {}\n",
  },
  "the first field of empty brackets": {
    text: "testCases:\n  a: {}\n",
    next: "new",
    becomes: "testCases:\n  a: { description: new }\n",
  },
  "what comes from a merge key is overridden": {
    text: "x: &x { description: shared }\ntestCases:\n  a:\n    <<: *x\n    name: A\n",
    next: "own",
    becomes: "x: &x { description: shared }\ntestCases:\n  a:\n    <<: *x\n    name: A\n    description: own\n",
  },
  "an alias in the place of an object": {
    text: "x: &x { description: shared }\ntestCases:\n  a: *x # same\n",
    next: "own",
    becomes: "x: &x { description: shared }\ntestCases:\n  a: { <<: *x, description: own } # same\n",
  },
  "an alias in the place of a value": {
    text: "x: &x shared\ntestCases:\n  a:\n    description: *x # same\n",
    next: "own",
    becomes: "x: &x shared\ntestCases:\n  a:\n    description: own # same\n",
  },
  "an anchor stays on its value": {
    text: "testCases:\n  a:\n    description: &x old\n",
    next: "new",
    becomes: "testCases:\n  a:\n    description: &x new\n",
  },
  "line ends of another system": {
    text: "testCases:\r\n  a:\r\n    name: x\r\n    description: old\r\n",
    next: "one\ntwo\n",
    becomes: "testCases:\r\n  a:\r\n    name: x\r\n    description: |\r\n      one\r\n      two\r\n",
  },
  "a byte order mark": {
    text: "\uFEFFtestCases: { a: { description: old } }\n",
    next: "new",
    becomes: "\uFEFFtestCases: { a: { description: new } }\n",
  },
  "an item more, and a member behind it": {
    text: "testCases:\n  a:\n    list:\n      - one: # its\n          - x # first\n",
    field: "list",
    old: [{ one: ["x"] }],
    next: [{ one: ["x", "y"], two: 2 }],
    becomes: "testCases:\n  a:\n    list:\n      - one: # its\n          - x # first\n          - y\n        two: 2\n",
  },
  "a text by several lines behind a key of its own with a comment": {
    text: "testCases:\n  a:\n    ? description # about: it\n    : old # why\n    name: x\n",
    next: "one\ntwo\n",
    becomes: "testCases:\n  a:\n    ? description # about: it\n    : | # why\n        one\n        two\n    name: x\n",
  },
  "JSON stays JSON": {
    text: '{"testCases":{"a":{"list":[{"one":["x"]}]}}}\n',
    field: "list",
    old: [{ one: ["x"] }],
    next: [{ one: ["x", "y"], two: { three: "z" } }],
    becomes: '{"testCases":{"a":{"list":[{"one":["x", "y"], "two": { "three": "z" }}]}}}\n',
  },
  "JSON stays JSON with another value": {
    text: '{"testCases":{"a":{"map":{"one":"x"}, "name": null}}}\n',
    field: "map",
    next: { two: "y" },
    becomes: '{"testCases":{"a":{"map":{ "two": "y" }, "name": null}}}\n',
  },
  "a file without a line end": {
    text: "testCases:\n  a:\n    name: x",
    next: "new",
    becomes: "testCases:\n  a:\n    name: x\n    description: new",
  },
  "one member of a mapping": {
    text: "testCases:\n  a:\n    map:\n      one: 1 # first\n      two: 2 # second\n",
    field: "map",
    old: { one: 1, two: 2 },
    next: { one: 1, two: 3 },
    becomes: "testCases:\n  a:\n    map:\n      one: 1 # first\n      two: 3 # second\n",
  },
  "a member more": {
    text: "testCases:\n  a:\n    map: {one: 1}\n",
    field: "map",
    old: { one: 1 },
    next: { one: 1, two: 3 },
    becomes: "testCases:\n  a:\n    map: {one: 1, two: 3}\n",
  },
  "a member less": {
    text: "testCases:\n  a:\n    map:\n      one: 1\n      two: 2 # gone\n",
    field: "map",
    old: { one: 1, two: 2 },
    next: { one: 1 },
    becomes: "testCases:\n  a:\n    map:\n      one: 1\n",
  },
  "a key by a reference by id": {
    text: "testCases:\n  a:\n    scenario: browse # c\n",
    field: "scenario",
    old: "browse",
    next: { id: 3 },
    becomes: "testCases:\n  a:\n    scenario: { id: 3 } # c\n",
  },
  "a mapping that is JSON text": {
    text: `testCases: { a: { map: '{"one":1}' } }\n`,
    field: "map",
    old: { one: 1 },
    next: { one: 2 },
    becomes: `testCases: { a: { map: '{"one":2}' } }\n`,
  },
  "a mapping that is JSON text, with text that looks like an expression": {
    text: `testCases: { a: { map: '{"one":1}' } }\n`,
    field: "map",
    old: { one: 1 },
    next: { one: "${env:X}" },
    becomes: `testCases: { a: { map: '{"one":"$\${env:X}"}' } }\n`,
  },
  "one member of one item, whatever the order": {
    text: "testCases:\n  a:\n    list:\n      - { k: z, n: 1 } # last\n      # first\n      - k: b\n        n: 2\n",
    field: "list",
    old: [
      { k: "b", n: 2 },
      { k: "z", n: 1 },
    ],
    next: [
      { k: "b", n: 5 },
      { k: "z", n: 1 },
    ],
    becomes: "testCases:\n  a:\n    list:\n      - { k: z, n: 1 } # last\n      # first\n      - k: b\n        n: 5\n",
  },
  "an item more": {
    text: "testCases:\n  a:\n    list: [one, two]\n    name: x\n",
    field: "list",
    old: ["one", "two"],
    next: ["one", "two", "three"],
    becomes: "testCases:\n  a:\n    list: [one, two, three]\n    name: x\n",
  },
  "an item more on lines": {
    text: "testCases:\n  a:\n    list:\n    - one # 1\n    - k: v\n    name: x\n",
    field: "list",
    old: ["one", { k: "v" }],
    next: ["one", { k: "v" }, { k: "w" }],
    becomes: "testCases:\n  a:\n    list:\n    - one # 1\n    - k: v\n    - { k: w }\n    name: x\n",
  },
  "an item less": {
    text: "testCases:\n  a:\n    list:\n      - one # 1\n      - two # 2\n    name: x\n",
    field: "list",
    old: ["one", "two"],
    next: ["two"],
    becomes: "testCases:\n  a:\n    list:\n      - two # 2\n    name: x\n",
  },
  "several lines where a comment stands behind": {
    text: "testCases:\n  a:\n    description: one  # why\n    name: x\n",
    next: "three\nfour\n",
    becomes: "testCases:\n  a:\n    description: |  # why\n      three\n      four\n    name: x\n",
  },
  "a field that goes but would come from a merge key": {
    text: "x: &x { description: shared }\ntestCases:\n  a: { <<: *x, description: own }\n",
    raw: "own",
    becomes: "x: &x { description: shared }\ntestCases:\n  a: { <<: *x, description: null }\n",
  },
  "an item changed and two more": {
    text: "testCases:\n  a:\n    list:\n      - { k: a, n: 1 } # 1\n      - k: b # 2\n        n: 2 # 3\n    name: x\n",
    field: "list",
    old: [
      { k: "a", n: 1 },
      { k: "b", n: 2 },
    ],
    next: [{ k: "a", n: 1 }, { k: "b", n: 3 }, { k: "c" }, { k: "d" }],
    becomes:
      "testCases:\n  a:\n    list:\n      - { k: a, n: 1 } # 1\n      - k: b # 2\n        n: 3 # 3\n      - { k: c }\n      - { k: d }\n    name: x\n",
  },
  "an item added below one that stands far behind its dash": {
    text: "testCases:\n  a:\n    list:\n    - k: a\n    -   { k: b }\n    name: x\n",
    field: "list",
    old: [{ k: "a" }, { k: "b" }],
    next: [{ k: "a" }, { k: "b" }, { k: "c", n: "1\n2\n" }],
    becomes:
      "testCases:\n  a:\n    list:\n    - k: a\n    -   { k: b }\n    - k: c\n      n: |\n        1\n        2\n    name: x\n",
  },
  "a list of lines, the comment beside its key": {
    text: "testCases:\n  a:\n    list: # why\n      - one\n      - two\n    name: x\n",
    field: "list",
    next: [{ k: { l: 1 } }],
    whole: true,
    becomes: "testCases:\n  a:\n    list: # why\n      - k: { l: 1 }\n    name: x\n",
  },
  "a block text with a comment at its head": {
    text: "testCases:\n  a:\n    description: |- # why\n      one\n      two\n    name: x\n",
    next: "three",
    becomes: "testCases:\n  a:\n    description: three # why\n    name: x\n",
  },
  "a list as a whole": {
    text: "testCases:\n  a:\n    list:\n      - one\n      - two\n    # next\n    name: x\n",
    field: "list",
    next: ["three"],
    whole: true,
    becomes: "testCases:\n  a:\n    list: [three]\n    # next\n    name: x\n",
  },
  "a field that goes": {
    text: "testCases:\n  a:\n    name: x\n    description: old # gone\n    profileType: Flat\n",
    becomes: "testCases:\n  a:\n    name: x\n    profileType: Flat\n",
  },
  "a field that goes within brackets": {
    text: "testCases: { a: { name: x, description: old } }\n",
    becomes: "testCases: { a: { name: x } }\n",
  },
  "several members of a mapping, added, removed and changed, with all comments": {
    field: "map",
    text: "testCases:\n  a:\n    map:\n      # one\n      x: 1 # x\n      gone: 2\n      # two\n      y: 3 # y\n      away: 4\n    name: n\n",
    old: { x: 1, gone: 2, y: 3, away: 4 },
    next: { x: 9, y: 3, p: 5, q: 6 },
    becomes:
      "testCases:\n  a:\n    map:\n      # one\n      x: 9 # x\n      # two\n      y: 3 # y\n      p: 5\n      q: 6\n    name: n\n",
  },
};

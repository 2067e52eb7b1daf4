/** Size of a letter in dots. */
export const glyphWidth = 3;
export const glyphHeight = 5;

/** Letters of three by five dots: five lines of each, a dot where a bit is set, the most significant one left. */
const glyphs: Readonly<Record<string, string>> = {
  A: "25755",
  B: "65656",
  C: "34443",
  D: "65556",
  E: "74647",
  F: "74644",
  G: "34553",
  H: "55755",
  I: "72227",
  J: "11152",
  K: "55655",
  L: "44447",
  M: "57755",
  N: "65555",
  O: "25552",
  P: "65644",
  Q: "25563",
  R: "65655",
  S: "34216",
  T: "72222",
  U: "55557",
  V: "55552",
  W: "55775",
  X: "55255",
  Y: "55222",
  Z: "71247",
  "0": "75557",
  "1": "26227",
  "2": "61247",
  "3": "61216",
  "4": "55711",
  "5": "74616",
  "6": "34757",
  "7": "71222",
  "8": "75757",
  "9": "75716",
};

/** The lines of a letter or digit, `#` for a dot; blank for any other character. */
export function glyphOf(letter: string): readonly string[] {
  const lines = glyphs[letter] ?? "00000";
  return [...lines].map((line) =>
    Number(line).toString(2).padStart(glyphWidth, "0").replaceAll("1", "#").replaceAll("0", " "),
  );
}

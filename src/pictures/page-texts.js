/** A whole number with thousands separated. */
export function count(value) {
  return Math.round(value).toLocaleString("en-US");
}

/** A number with as many digits as one reads. */
export function figure(value) {
  const size = Math.abs(value);
  if (Number.isInteger(value) || size >= 100) return count(value);
  return String(Number(value.toFixed(size >= 10 ? 1 : size >= 1 ? 2 : 3)));
}

/** Milliseconds, or a dash where nothing was measured. */
export function ms(value) {
  if (value === undefined || value === null) return "–";
  return value < 1000 ? `${figure(value)} ms` : `${figure(value / 1000)} s`;
}

/** A share from 0 to 1, or a dash for none; one that is not whole never reads as 100 % or 0 %. */
export function percent(share) {
  if (share === null) return "–";
  if (share < 1 && share > 0.9999) return "> 99.99 %";
  return share > 0 && share < 0.0001 ? "< 0.01 %" : `${Number((share * 100).toFixed(2))} %`;
}

/** A length of time: 45 s, 2 min 5 s, 1 h 30 min. */
export function duration(seconds) {
  const parts = [
    [Math.floor(seconds / 86_400), "d"],
    [Math.floor((seconds % 86_400) / 3600), "h"],
    [Math.floor((seconds % 3600) / 60), "min"],
    [Math.round(seconds % 60), "s"],
  ];
  const present = parts.filter(([value]) => value > 0).slice(0, 2);
  return present.map(([value, unit]) => `${value} ${unit}`).join(" ") || "0 s";
}

/** Time since the start on an axis: 0:30, 1:05:00. */
export function elapsed(seconds) {
  const two = (value) => String(value).padStart(2, "0");
  const [hours, minutes, rest] = [
    Math.floor(seconds / 3600),
    Math.floor((seconds % 3600) / 60),
    Math.floor(seconds % 60),
  ];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

/** A moment in UTC. */
export function moment(iso) {
  return iso ? `${iso.slice(0, 19).replace("T", " ")} UTC` : "–";
}

/** "1 scenario", "2 scenarios". */
export function several(number, noun) {
  return `${count(number)} ${noun}${number === 1 ? "" : "s"}`;
}

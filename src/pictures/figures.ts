/** A whole number with thousands separated: 12,345. */
export function formatCount(value: number): string {
  const digits = Math.abs(Math.round(value)).toString();
  const grouped = digits.replace(/\B(?=(\d{3})+$)/g, ",");
  return value < 0 ? `−${grouped}` : grouped;
}

/** A number of things: 1 user, 12,345 users. */
export function formatSeveral(value: number, one: string): string {
  return `${formatCount(value)} ${one}${value === 1 ? "" : "s"}`;
}

/** A number with as many digits as one reads: 1,234, 56.7, 0.123. */
export function formatFigure(value: number): string {
  const size = Math.abs(value);
  if (Number.isInteger(value) || size >= 100) return formatCount(value);
  return String(Number(value.toFixed(size >= 10 ? 1 : size >= 1 ? 2 : 3)));
}

/** Milliseconds as one reads them: 87 ms, 1.24 s. */
export function formatMs(ms: number): string {
  return ms < 1000 ? `${formatFigure(ms)} ms` : `${formatFigure(ms / 1000)} s`;
}

/** A share from 0 to 1; one that is not whole never reads as 100 % or 0 %. */
export function formatPercent(share: number): string {
  const percent = share * 100;
  if (share < 1 && percent > 99.99) return "> 99.99 %";
  if (share > 0 && percent < 0.01) return "< 0.01 %";
  return `${Number(percent.toFixed(2))} %`;
}

/** A number of bytes: 512 B, 1.5 MB. */
export function formatBytes(bytes: number): string {
  const units = ["B", "kB", "MB", "GB", "TB"];
  const step = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));
  return `${formatFigure(bytes / 1000 ** step)} ${units[step]}`;
}

/** A length of time: 45 s, 2 min 5 s, 1 h 30 min. */
export function formatDuration(seconds: number): string {
  const whole = Math.round(seconds);
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60), whole % 60];
  if (hours > 0) return minutes > 0 ? `${hours} h ${minutes} min` : `${hours} h`;
  if (minutes > 0) return rest > 0 ? `${minutes} min ${rest} s` : `${minutes} min`;
  return `${rest} s`;
}

/** A moment in a time zone, as 2026-11-20 10:07:30 UTC. A zone that Intl does not know is a RangeError. */
export function formatMoment(at: number, tz: string): string {
  const zone = { timeZone: tz, hourCycle: "h23" } as const;
  const day = { year: "numeric", month: "2-digit", day: "2-digit" } as const;
  const time = { hour: "2-digit", minute: "2-digit", second: "2-digit" } as const;
  const parts = new Intl.DateTimeFormat("en-GB", { ...zone, ...day, ...time }).formatToParts(at);
  const part = (type: string) => parts.find((each) => each.type === type)?.value ?? "";
  const date = [part("year"), part("month"), part("day")].join("-");
  return `${date} ${[part("hour"), part("minute"), part("second")].join(":")} ${tz}`;
}

/** Time since the start on an axis: 0:30, 12:00, 1:05:00. */
export function formatElapsed(seconds: number): string {
  const whole = Math.round(seconds);
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60), whole % 60];
  const two = (value: number) => String(value).padStart(2, "0");
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

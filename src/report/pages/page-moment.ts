/** A moment in epoch milliseconds as its weekday, day and month, UTC. */
export function dayText(at: number): readonly [weekday: string, day: number, month: string] {
  const date = new Date(at);
  const [weekday = "", , month = ""] = date.toUTCString().replace(",", "").split(" ");
  return [weekday, date.getUTCDate(), month];
}

/** A moment of the coming weeks, as one reads it: Wed 25 Nov 02:30 UTC. */
export function momentText(at: number): string {
  const [weekday, day, month] = dayText(at);
  return `${weekday} ${day} ${month} ${new Date(at).toISOString().slice(11, 16)} UTC`;
}

/** A time from one moment to another, as one reads it: Wed 25 Nov 02:30 to 03:00 UTC. */
export function spanText(start: number, end: number): string {
  const [from, to] = [start, end].map((at) => momentText(at).replace(" UTC", ""));
  const [day, other] = [start, end].map((at) => dayText(at).join(" "));
  return `${from} to ${day === other ? to?.replace(`${day} `, "") : to} UTC`;
}

/** A minute of any week, from Monday 00:00 UTC: Mon 02:30 UTC. */
export function weekMinuteText(minute: number): string {
  const two = (value: number) => String(value).padStart(2, "0");
  const weekday = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"][Math.floor(minute / 1440)];
  return `${weekday} ${two(Math.floor((minute % 1440) / 60))}:${two(minute % 60)} UTC`;
}

import type { Finding } from "./check-result.ts";
import type { Fight } from "./project-memory.ts";

type Fights = Readonly<Record<string, Fight>>;

const hourMs = 3_600_000;
/** So many healings within an hour make a fight. */
const healsOfFight = 3;

/**
 * Fights after a look at the project: one is over when a commit changes its address, or after an hour without drift. Time in which
 * nobody looked does not end the fight over an address that is drifted still.
 */
export function observeFights(fights: Fights, findings: readonly Finding[], now: number): Fights {
  const entries = Object.entries(fights);
  if (entries.length === 0) return fights;
  const origins = new Map(findings.map(({ address, origin }) => [address, origin]));
  return Object.fromEntries(
    entries.flatMap(([address, fight]): readonly [string, Fight][] => {
      const origin = origins.get(address);
      if (origin === "git") return [];
      const healedAt = fight.healedAt.filter((at) => at > now - hourMs);
      if (origin === "drift") return [[address, { ...fight, healedAt, lastDriftAt: now }]];
      const isOver = isLeftAlone(fight) ? fight.lastDriftAt <= now - hourMs : healedAt.length === 0;
      return isOver ? [] : [[address, { ...fight, healedAt }]];
    }),
  );
}

/** Fights, as they were observed at this moment, after healings of drifted addresses, and those of them that are left alone from now on. */
export function countHeals(
  fights: Fights,
  healed: readonly string[],
  now: number,
): { readonly fights: Fights; readonly begun: readonly string[] } {
  if (healed.length === 0) return { fights, begun: [] };
  const counted = healed.map((address): readonly [string, Fight] => {
    const before = fights[address];
    const healedAt = [...(before?.healedAt ?? []), now];
    const since = before?.leftAloneSince ?? (healedAt.length >= healsOfFight ? now : undefined);
    return [address, { healedAt, lastDriftAt: now, ...(since !== undefined && { leftAloneSince: since }) }];
  });
  const begun = counted.flatMap(([address, fight]) =>
    isLeftAlone(fight) && fights[address]?.leftAloneSince === undefined ? [address] : [],
  );
  return { fights: { ...fights, ...Object.fromEntries(counted) }, begun };
}

/** True while an address is fought over. */
export function isLeftAlone(fight: Fight | undefined): boolean {
  return fight?.leftAloneSince !== undefined;
}

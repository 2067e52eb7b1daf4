import { Crash, type CrashDisk, crashDisk, Gone } from "../crash-files.ts";
import { makeRig, type Rig } from "../rig.ts";

interface Power {
  steps: number;
  point: number;
  isGone: boolean;
}

/** A process of ours with its disk; when it is killed another one starts on what the disk kept. */
export interface Process {
  rig: Rig;
  disk: CrashDisk;
  power: Power;
}

/** A process on a service that outlives it. */
export function startProcess(service: Rig["service"]): Process {
  const { power, parts } = freshPower();
  const disk = crashDisk(parts.step);
  return { rig: makeRig({ ...parts, files: disk.files, service, outlives: true }), disk, power };
}

/** From now on the process is killed at so many steps of disk and network, if it is at all. */
export function killAt({ power }: Process, point: number | undefined): void {
  power.steps = 0;
  power.point = point ?? Number.POSITIVE_INFINITY;
}

/** Starts another process when this one was killed; answers whether it was. */
export function restartKilled(process: Process, losesRenames: boolean): boolean {
  const isKilled = process.power.isGone;
  process.power.point = Number.POSITIVE_INFINITY;
  if (!isKilled) return false;
  const { power, parts } = freshPower();
  process.disk = crashDisk(parts.step, process.disk.restart(losesRenames).contents);
  process.rig = process.rig.restart(process.disk.files, parts);
  process.power = power;
  return true;
}

function freshPower() {
  const power: Power = { steps: 0, point: Number.POSITIVE_INFINITY, isGone: false };
  const step = () => {
    if (power.isGone) throw new Gone("the process is gone");
    if (power.steps++ !== power.point) return;
    power.isGone = true;
    throw new Crash("killed");
  };
  return { power, parts: { step, isDead: () => power.isGone } };
}

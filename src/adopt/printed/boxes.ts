import type { Box } from '#formats/pdf/document.ts'

export function boxAround(boxes: readonly Box[]): Box {
  return {
    left: Math.min(...boxes.map(each => each.left)),
    top: Math.min(...boxes.map(each => each.top)),
    right: Math.max(...boxes.map(each => each.right)),
    bottom: Math.max(...boxes.map(each => each.bottom)),
  }
}

/** The part of a box that is in another one, which may be nothing. */
export function clipped(box: Box, outer: Box): Box {
  return {
    left: Math.max(outer.left, box.left),
    top: Math.max(outer.top, box.top),
    right: Math.min(outer.right, box.right),
    bottom: Math.min(outer.bottom, box.bottom),
  }
}

export function areaOf({ left, top, right, bottom }: Box): number {
  return Math.max(0, right - left) * Math.max(0, bottom - top)
}

export function shortSide({ left, top, right, bottom }: Box): number {
  return Math.min(right - left, bottom - top)
}

export function longSide({ left, top, right, bottom }: Box): number {
  return Math.max(right - left, bottom - top)
}

/** Whether the middle of a box lies in another one. */
export function isInside(box: Box, outer: Box): boolean {
  const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2]
  return isBetween(x, outer.left, outer.right) && isBetween(y, outer.top, outer.bottom)
}

export function isBetween(value: number, from: number, to: number): boolean {
  return value > from && value < to
}

/** Compares the places of boxes: from top to bottom, then from left to right. */
export function byPlace(one: Box, other: Box): number {
  return one.top - other.top || one.left - other.left
}

/** Those of some boxes whose middles lie in another one. */
export function itemsIn<Item extends Box>(items: readonly Item[], outer: Box): Item[] {
  return items.filter(item => isInside(item, outer))
}

/** The gap between boxes from left to right; 0 if one is above the other. */
export function across(one: Box, other: Box): number {
  return Math.max(0, one.left - other.right, other.left - one.right)
}

/** The distance between boxes, across and along; 0 if they touch. */
export function distance(one: Box, other: Box): number {
  const { left, top, right, bottom } = clipped(one, other)
  return Math.max(0, left - right) + Math.max(0, top - bottom)
}

export function moved<Item extends Box>(item: Item, across: number, down: number): Item {
  const { left, top, right, bottom } = item
  return { ...item, left: left + across, top: top + down, right: right + across, bottom: bottom + down }
}

/** Items that belong together. */
export type Run<Item> = [Item, ...Item[]]

export function lastOf<Item>(run: Readonly<Run<Item>>): Item {
  return run.at(-1) ?? run[0]
}

/** Divides items into runs: each item continues the last one, or starts another. */
export function runsOf<Item>(
  items: readonly Item[],
  continues: (run: Readonly<Run<Item>>, item: Item) => boolean,
): Run<Item>[] {
  const runs: Run<Item>[] = []
  for (const item of items) {
    const run = runs.at(-1)
    if (run && continues(run, item)) run.push(item)
    else runs.push([item])
  }
  return runs
}

/** Joins each item to the last group that it fits. */
export function groupsOf<Item>(
  items: readonly Item[],
  fits: (group: Readonly<Run<Item>>, item: Item) => boolean,
): Run<Item>[] {
  const groups: Run<Item>[] = []
  for (const item of items) {
    const group = groups.findLast(each => fits(each, item))
    if (group) group.push(item)
    else groups.push([item])
  }
  return groups
}

import type { Link, Target } from '../../brand/page.ts'
import type { Destination } from '../markdown/markdown.ts'

/* Compact forms of page links, because a project may have millions. */

type PackedDestination = [
  start: number,
  end: number,
  path: string,
  isPicture: 0 | 1,
  alt: string,
  line: number,
  place?: [fragment: string, end: number],
]

export function packDestinations(destinations: readonly Destination[]): string {
  const packed = destinations.map(({ start, end, path, kind, alt, line, place }): PackedDestination => {
    const always = [start, end, path, kind === 'picture' ? 1 : 0, alt, line] as const
    return place ? [...always, [place.fragment, place.end]] : [...always]
  })
  return JSON.stringify(packed)
}

export function unpackDestinations(line: string): Destination[] {
  const packed: PackedDestination[] = JSON.parse(line)
  return packed.map(([start, end, path, isPicture, alt, line, place]): Destination => {
    const destination = { start, end, path, kind: isPicture ? 'picture' : 'link', alt, line } as const
    return place ? { ...destination, place: { fragment: place[0], end: place[1] } } : destination
  })
}

/** Packs each link into three numbers. A target is stored only once, regardless of the number of links to it. */
export function linkPacker(): { pack: (links: readonly Link[]) => Uint8Array; unpack: (bytes: Uint8Array) => Link[] } {
  const targets: Target[] = []
  const numbers = new Map<string, number>()
  const numberOf = (to: Target) => {
    const key = to.page ?? (to.file === undefined ? JSON.stringify(to) : `/${to.file}`) // No page id starts with a slash or a brace.
    const number = numbers.get(key) ?? targets.push(to) - 1
    numbers.set(key, number)
    return number
  }
  return {
    pack: links =>
      new Uint8Array(Uint32Array.from(links.flatMap(({ start, end, to }) => [start, end, numberOf(to)])).buffer),
    unpack: bytes => {
      const packed = new Uint32Array(new Uint8Array(bytes).buffer)
      const links: Link[] = []
      for (let at = 0; at < packed.length; at += 3) {
        const [start, end, number] = packed.subarray(at, at + 3)
        const to = number === undefined ? undefined : targets[number]
        if (start === undefined || end === undefined || !to) throw new Error('the packed links are damaged')
        links.push({ start, end, to })
      }
      return links
    },
  }
}

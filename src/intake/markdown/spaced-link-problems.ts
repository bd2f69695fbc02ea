import { quote } from '../../base/text.ts'
import type { Problem } from '../../brand/finding.ts'
import { problem } from '../folder/findings.ts'
import { type ReadBlock, visibleText } from './visible-text.ts'

/** Reports links and pictures that are text, because their address contains a space (CommonMark 0.31.2, §6.3). */
export function spacedLinkProblems(text: string, blocks: readonly ReadBlock[]): Problem[] {
  if (spacedAddresses(text).length === 0) return []
  const found = blocks.flatMap(block =>
    spacedAddresses(visibleText(block)).map(({ at, address }) => ({ at: block.start + at, address })),
  )
  return found.slice(0, MAX_REPORTED).map(({ at, address }) => {
    const encoded = address.replaceAll(' ', '%20')
    const message = `the address ${quote(address)} contains a space, so this is text, not a link: write (${encoded}) or (<${address}>)`
    return problem('link-space', message, text.slice(0, at).split('\n').length)
  })
}

/** Addresses in link syntax that contain a space and end with a file extension. */
function spacedAddresses(text: string): { at: number; address: string }[] {
  return Array.from(text.matchAll(IN_PARENTHESES), ({ index, 1: inside = '' }) => ({
    at: index,
    address: inside.length > MAX_ADDRESS ? '' : inside.trim(),
  })).filter(({ address }) => address.includes(' ') && FILE.test(address))
}

/** An address with a space, but without a title, which has quotes. */
const IN_PARENTHESES = /\]\(([^ ()<>"'\n]*(?: [^ ()<>"'\n]*)+)\)/g
const FILE = /\.\w{2,5}(?:#\S*)?$/
const MAX_ADDRESS = 1000
/** The maximum per page; further findings would need the same fix. */
const MAX_REPORTED = 10

import { quote } from '../../base/text.ts'
import type { Problem } from '../../brand/finding.ts'
import { problem } from '../folder/findings.ts'
import { type ReadBlock, visibleText } from './visible-text.ts'

/** Reports what was meant as a link or a picture and is text, since its address has a space (CommonMark 0.31.2, §6.3). */
export function spacedLinkProblems(text: string, blocks: readonly ReadBlock[]): Problem[] {
  if (spacedAddresses(text).length === 0) return []
  const found = blocks.flatMap(block =>
    spacedAddresses(visibleText(block)).map(({ at, address }) => ({ at: block.start + at, address })),
  )
  return found.slice(0, MAX_REPORTED).map(({ at, address }) => {
    const encoded = address.replaceAll(' ', '%20')
    const message = `the address ${quote(address)} has a space, so that this is text and no link: write (${encoded}) or (<${address}>)`
    return problem('link-space', message, text.slice(0, at).split('\n').length)
  })
}

/** Addresses with a space within them that end as the name of a file does, where that of a link would stand. */
function spacedAddresses(text: string): { at: number; address: string }[] {
  return Array.from(text.matchAll(IN_PARENTHESES), ({ index, 1: inside = '' }) => ({
    at: index,
    address: inside.length > MAX_ADDRESS ? '' : inside.trim(),
  })).filter(({ address }) => address.includes(' ') && FILE.test(address))
}

/** With a space, and without a title, which has quotes. */
const IN_PARENTHESES = /\]\(([^ ()<>"'\n]*(?: [^ ()<>"'\n]*)+)\)/g
const FILE = /\.\w{2,5}(?:#\S*)?$/
const MAX_ADDRESS = 1000
/** Of a page; what is to be done about the others is the same. */
const MAX_REPORTED = 10

import assert from 'node:assert/strict'
import test from 'node:test'
import { convertMarkdown } from '#adopt/pages/convert-page.ts'
import { golden } from '#test/support/golden.ts'
import { pageFacts } from '../page-facts.ts'

function convert(source: string) {
  const facts = { baseUrl: '', variables: new Map([['site.title', 'Nova']]), groups: ['blue'], palettes: ['palette'] }
  return convertMarkdown(source, { path: 'a.md', shownPath: 'a.md', kind: 'md', facts, includes: new Map() })
}

test('hostile pages do not stop a conversion', () => {
  const parts =
    '!!! note\n|:::tip\n|{% hint %}\n|{{ a |[[|![[a|{width=2}|![a](|> [!x]\n|<aside>|%%|==a|- [ ] :::\n'.split('|')
  for (const part of [...parts, '| a '])
    assert.equal(typeof convert(part.repeat(Math.ceil(10_000 / part.length))).text, 'string')
  assert.equal(typeof convert(`<i${' class="material-icons"'.repeat(10_000)}`).text, 'string')
})

test('a description that only search engines show is not a part of the page', () => {
  const described = (text: string, hidesDescription: boolean) => {
    const facts = { baseUrl: '', variables: new Map(), hidesDescription }
    const task = { path: 'a.md', shownPath: 'a.md', kind: 'md' as const, facts, includes: new Map() }
    return convertMarkdown(`---\ndescription: About\n---\n${text}`, task).meta.description
  }
  assert.deepEqual([described('# A\n\nB', true), described('# A\n\nB', false)], [undefined, 'About'])
})

golden('adopt/pages/convert-page', ({ page }: { page: string }) => pageFacts(convert(page)))

import assert from 'node:assert/strict'
import test from 'node:test'
import { breakable } from '#site/cards/long-words.ts'
import { html } from '#site/html.ts'

test('a name may break after hyphens, underscores, dots and slashes', () => {
  assert.equal(html`${breakable('logo_dark-2.svg')}`.text, 'logo_<wbr>dark-2.<wbr>svg')
  assert.equal(html`${breakable('The GOV.UK website')}`.text, 'The GOV.UK website')
  assert.equal(html`${breakable('Primary/Hover & 1. Rest-')}`.text, 'Primary/<wbr>Hover &#38; 1. Rest-')
})

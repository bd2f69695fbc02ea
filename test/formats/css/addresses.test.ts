import assert from 'node:assert/strict'
import test from 'node:test'
import { cssAddresses } from '#formats/css/addresses.ts'

for (const [css, addresses] of [
  ['a { background: url(a.png), url("b.png") }', ['a.png', 'b.png']],
  ['a { background: image-set("a.png" type("image/png"), "b.png") }', ['a.png', 'b.png']],
  ['a { background: image-set(url("a.png") 1x, "b.png" 2x) }', ['a.png', 'b.png']],
  ['a { background: -webkit-image-set(url(a.png) 1x) }', ['a.png']],
  ['a { background: -webkit-image-set("a.png" 1x) }', ['a.png']],
  ['a { width: calc((1px + var(--a, "b.png")) * 2) } /* url(c.png) */', []],
  ['@font-face { src: local("Acme"), src("a.woff2"); --a: "b" }', ['a.woff2']],
] as const)
  test(`the addresses in ${css} are ${addresses.join(', ') || 'none'}`, () => {
    const seen = Array.from(cssAddresses(css), ({ address }) => address)
    assert.deepEqual(seen, addresses)
  })

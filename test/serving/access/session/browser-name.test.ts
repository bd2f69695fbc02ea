import assert from 'node:assert/strict'
import test from 'node:test'
import { browserName } from '#serving/access/session/browser-name.ts'

const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)'

for (const [name, agent] of [
  ['Firefox, Windows', 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0'],
  ['Chrome, Android', `Mozilla/5.0 (Linux; Android 10; K) ${WEBKIT} Chrome/140.0.0.0 Mobile Safari/537.36`],
  ['Edge, Windows', `Mozilla/5.0 (Windows NT 10.0) ${WEBKIT} Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0`],
  ['Safari, macOS', `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${WEBKIT} Version/19.0 Safari/605.1.15`],
  ['Safari, iPhone', `Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) ${WEBKIT} Version/18.0 Safari/604.1`],
  ['Chrome, Linux', `Mozilla/5.0 (X11; Linux x86_64) ${WEBKIT} HeadlessChrome/140.0.0.0 Safari/537.36`],
  [undefined, 'curl/8.14.1'],
  [undefined, undefined],
] as const)
  test(`the browser of ${agent ?? 'no field'} is ${name ?? 'unknown'}`, () => {
    assert.equal(browserName(agent), name)
  })

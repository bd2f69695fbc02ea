import test from 'node:test'
import { assertRendered, EXTERNAL } from './rendered.ts'

test('a video and a sound of the project have controls, and load when they are started', () =>
  assertRendered([
    [
      '<video src="/a.mp4" autoplay muted width="100">b</video>',
      '<p><video muted width="100" src="/a.mp4" controls preload="metadata"></video></p>',
    ],
    [
      '<video><source src="/a.mp4" type="video/mp4"><source src="https://e.example/b"><track src="/c.vtt" kind="captions" srclang="en"></video>',
      '<p><video controls preload="metadata"><source src="/a.mp4" type="video/mp4"><track src="/c.vtt" kind="captions" srclang="en"></video></p>',
    ],
  ]))

test('a video or a sound of another site becomes a link to it, and is not loaded', () =>
  assertRendered([
    [
      '<video src="https://example.org/a.mp4" title="A film"></video>',
      `<p><a href="https://example.org/a.mp4" ${EXTERNAL}>A film</a></p>`,
    ],
    ['<audio></audio>', '<p><span>Sound</span></p>'],
  ]))

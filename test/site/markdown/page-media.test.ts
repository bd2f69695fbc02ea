import test from 'node:test'
import { assertRendered, EXTERNAL } from './rendered.ts'

test('video and audio of the project have controls, and load when played', () =>
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

test('video or audio from another site becomes a link and is not loaded', () =>
  assertRendered([
    [
      '<video src="https://example.org/a.mp4" title="A film"></video>',
      `<p><a href="https://example.org/a.mp4" ${EXTERNAL}>A film</a></p>`,
    ],
    ['<audio></audio>', '<p><span>Audio</span></p>'],
  ]))

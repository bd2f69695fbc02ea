import assert from 'node:assert/strict'
import test from 'node:test'
import { pictureFormatProblem } from '#intake/media/picture-format.ts'
import { findingLines } from '../../support/problems.ts'
import { read } from '../reading.ts'

const formats: [contentType: string, fix: RegExp | undefined][] = [
  ['image/heic', /save it as JPEG/],
  ['image/heif', /save it as JPEG/],
  ['image/tiff', /export it as PNG or JPEG/],
  ['image/vnd.adobe.photoshop', /export it as PNG or JPEG/],
  ['application/postscript', /export it as SVG/],
  ['image/vnd.dwg', /export it as SVG/],
  ['image/emf', /export it as SVG/],
  ['image/vnd.zbrush.pcx', /export it as PNG or JPEG/],
  ['image/jxl', /export it as PNG or JPEG/],
  ['image/png', undefined],
  ['image/vnd.microsoft.icon', undefined],
  ['image/svg+xml', undefined],
  ['image/avif', undefined],
  ['video/mp4', undefined],
]
for (const [contentType, fix] of formats)
  test(`a file of type ${contentType} that a page shows ${fix ? 'gets advice' : 'is accepted'}`, () => {
    const problem = pictureFormatProblem('the logo', contentType, 2)
    if (!fix) return assert.equal(problem, undefined)
    assert.deepEqual([problem?.rule, problem?.line], ['picture-format', 2])
    assert.match(problem?.message ?? '', fix)
  })

test('a Photoshop file is reported as a logo, a cover or a picture on a page, but not as a download', async () => {
  const { findings } = await read({
    'project.yaml': 'theme:\n  logo: files/a.psd\n',
    'pages/index.md': '---\ncover: ../files/a.psd\n---\n\n![A](../files/a.psd) and [download](../files/a.psd)\n',
    'files/a.psd': photoshop(4, 3),
  })
  const fix = 'is image/vnd.adobe.photoshop, which browsers do not show: export it as PNG or JPEG, and use that file'
  assert.deepEqual(findingLines(findings), [
    `pages/index.md:2 warning picture-format: cover: "../files/a.psd" ${fix}`,
    `pages/index.md:5 warning picture-format: the picture "../files/a.psd" ${fix}`,
    `project.yaml:2 warning picture-format: "logo": "files/a.psd" ${fix}`,
  ])
})

/** The header of a Photoshop file ("File Header Section" of its specification), with the size of the picture. */
function photoshop(width: number, height: number): Buffer {
  const header = Buffer.alloc(40)
  header.write('8BPS', 'latin1')
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(3, 12)
  header.writeUInt32BE(height, 14)
  header.writeUInt32BE(width, 18)
  header.writeUInt16BE(8, 22)
  header.writeUInt16BE(3, 24)
  return header
}

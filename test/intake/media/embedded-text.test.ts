import assert from 'node:assert/strict'
import test from 'node:test'
import { pictureDescription } from '#intake/media/embedded-text.ts'

const FROM_PROGRAMS = [
  'OLYMPUS DIGITAL CAMERA         ',
  'KODAK Digital Still Camera',
  'MOULTRIE DIGITAL GAME CAMERA',
  'SONY DSC',
  'SAMSUNG CAMERA PICTURES',
  'Canon EOS 5D',
  'default',
  '<KENOX S1050  / Samsung S1050>',
  'DCIM\\100GOPRO\\GOPR0123.JPG',
  'Created with Sketch.',
  'Created with potrace 1.16',
  'Made with Canva',
  'Erstellt mit GIMP',
  'Mesa de trabajo 1',
  '名称未設定',
  'Untitled design (1)',
  'Microsoft Word - Letter.docx',
  'Icon / 24 / arrow',
  'Created using Figma 0.90',
  'Created by potrace 1.15, written by Peter Selinger 2001-2017',
  'Generator: Adobe Illustrator 24.0.1, SVG Export Plug-In',
  'Adobe Illustrator 25.2',
  'Artboard 3@2x',
  'Frame 12',
  'Group-4',
  'Group 2 Copy 3',
  'Zeichenfläche 1',
  'Layer 1',
  'Untitled',
  'Untitled-1',
  'image',
  'IMG_2041',
  'logo.svg',
  'Group-4.svg',
  'Acme logo final (2).ai',
]
test('texts that cameras and drawing programs write do not describe a picture', () => {
  assert.deepEqual(
    FROM_PROGRAMS.filter(text => pictureDescription(text) !== undefined),
    [],
  )
})

const FROM_PEOPLE = [
  'Acme',
  'A digital camera on a table',
  'Our mark, a ring around a dot',
  'Frame of a film',
  'Created with love by our makers in Kiel',
  'Made with wool from Iceland',
  'Frame of a bicycle',
  'The default layout',
  'Group photo of the team',
  'Adobe Illustrator logo',
  'Image of the harbour at dawn',
  'Layers of paper',
  'The logo of 2024, drawn with compasses',
]
test('texts that people write describe a picture', () => {
  assert.deepEqual(
    FROM_PEOPLE.map(text => pictureDescription(text)),
    FROM_PEOPLE,
  )
})

test('the first text of a person is found after those of programs', () => {
  assert.equal(pictureDescription('Artboard 1', undefined, 'Our mark'), 'Our mark')
})

import assert from 'node:assert/strict'
import test from 'node:test'
import { folderTitle } from '../../../../src/site/library/files/folders.ts'
import { wordsFor } from '../../../../src/site/words/words.ts'

test('a folder has a readable title', () => {
  const titles = {
    files: 'General',
    'files/logo/print': 'Logo / Print',
    'files/colour_sheets--A4': 'colour sheets A4',
    'files/app-icons': 'App icons',
    'files/iOS': 'iOS',
    'files/öl und stein': 'Öl und stein',
    'files/-_': '-_',
    'pages/logo': 'Pages / Logo',
  }
  for (const [folder, title] of Object.entries(titles)) assert.equal(folderTitle(wordsFor('en'), folder), title)
})

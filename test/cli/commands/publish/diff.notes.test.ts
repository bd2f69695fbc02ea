import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import test from 'node:test'
import { folderWith, temporaryFolder } from '../../../support/temporary.ts'
import { PLAIN_GUIDE, THEMED_GUIDE } from '../../../support/themed-brand.ts'
import { housestyle } from '../../housestyle.ts'

const TEXT = `acme/guide: published → draft
~ theme: none → {"logo":"files/mark.svg","logoDark":"files/mark-white.svg","icon":"files/mark.svg","accent":"ink","ground":"paper","text":"ink","heading":"heading","body":"heading","corners":"soft","dark":"off","download":"files/mark.svg"}
~ socialImage: none → files/mark.svg
~ contact: none → brand@acme.example
~ footer: none → [{"name":"Acme","url":"https://acme.example"}]
~ office: none → {"major":"Arial","minor":"Georgia"}
~ nav: none → sections
~ page index
    cover: none → {"file":"files/mark.svg","focus":[70,30],"fit":"whole","text":"dark"}
    ground: none → paper
    wide: none → true
    nav: none → Start
~ color ink
    group: none → Core
    use: none → Text
    on: none → ["paper"]
    proportion: none → 20
~ color mist
    tintOf: none → ink
~ type heading
    weight: none → 600
    style: none → normal
    fallback: none → ["Arial"]
    sample: none → Sharp
~ file files/mark-white.svg
    title: none → The white mark
    ground: none → ink
    variantOf: none → files/mark.svg
    library: none → true
    order: none → 2
    medium: none → ["screen","print"]
    minWidth: none → 24
    licence: none → CC BY 4.0
    territory: none → Europe
    until: none → 2099-11-29
`

test('diff shows fields that only the website and exports use', async () => {
  const cwd = await temporaryFolder()
  const folder = await folderWith(PLAIN_GUIDE, 'acme', cwd)
  await housestyle(['import', 'acme'], { cwd })
  await housestyle(['publish', '--all'], { cwd })
  await rm(folder, { recursive: true })
  await folderWith(THEMED_GUIDE, 'acme', cwd)
  await housestyle(['import', 'acme'], { cwd })
  const { status, stdout, stderr } = await housestyle(['diff', 'acme/guide'], { cwd })
  assert.deepEqual([status, stdout, stderr], [0, TEXT, ''])
})

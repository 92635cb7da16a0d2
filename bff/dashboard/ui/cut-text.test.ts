import { expect, test } from 'vitest'
import { cutText } from './cut-text.ts'

const parts = (text: string) => {
  const cut = cutText(text)
  return typeof cut === 'string' ? [cut] : cut.values
}

test('an id is cut in its middle, words are left whole for the column to end', () => {
  const id = `order-${'0'.repeat(40)}-tail`
  expect(parts('order-7')).toEqual(['order-7'])
  expect(parts(id)).toEqual([id, 'order-0000000', '0'.repeat(24), '000000000-tail'])
  const words = 'Two bags of Ethiopia Guji, ground for the moka pot'
  expect(parts(words)).toEqual([words, words])
})

test('the ends of an id do not change places where the page is read from the right', () => {
  const cut = cutText(`order-${'0'.repeat(40)}-tail`)
  expect(typeof cut === 'string' ? '' : cut.strings[0]).toContain('dir="auto"')
})

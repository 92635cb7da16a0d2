import { expect, test } from 'vitest'
import { cutText } from './cut-text.ts'

const parts = (cut: ReturnType<typeof cutText>) => (typeof cut === 'string' ? [cut] : cut.values)

test('an id is cut in its middle, words are left whole for the column to end', () => {
  const id = `order-${'0'.repeat(40)}-tail`
  expect(parts(cutText('order-7'))).toEqual(['order-7'])
  expect(parts(cutText(id))).toEqual([id, 'order-00000', '0'.repeat(28), '0000000-tail'])
  expect(parts(cutText('ak_GXdsbq6RANnrE64L6QMSJXKx', 20))).toEqual([
    'ak_GXdsbq6RANnrE64L6QMSJXKx',
    'ak_GXdsbq',
    '6RANnrE6',
    '4L6QMSJXKx',
  ])
  const words = 'Two bags of Ethiopia Guji, ground for the moka pot'
  expect(parts(cutText(words))).toEqual([words, words])
})

test('the ends of an id do not change places where the page is read from the right', () => {
  const cut = cutText(`order-${'0'.repeat(40)}-tail`)
  expect(typeof cut === 'string' ? '' : cut.strings[0]).toContain('dir="auto"')
})

import { expect, test } from 'vitest'
import { parseColor, parsePageLink } from './branding.ts'

test('a colour is the whole text: what stands before or behind it would be part of the pages’ styles', () => {
  expect(parseColor('#2B50C8')).toBe('#2b50c8')
  for (const text of ['#2b50c8;background:url(//evil.example)', 'red;color:#2b50c8', '#2b50c8\n', '#2b50c81', '#2b5'])
    expect(() => parseColor(text), text).toThrow('color must be #rrggbb')
})

test('a link of the pages has neither user nor password', () => {
  for (const text of ['https://shop.example@evil.example/', 'https://:secret@shop.example/'])
    expect(() => parsePageLink('termsUrl', text), text).toThrow('without user and password')
})

import { describe, expect, test } from 'vitest'
import { memberText, Verbatim, writeJson } from './json-text.ts'

describe('JSON is written', () => {
  test('as JSON.stringify writes it: what is undefined is left out of an object, and null in a list', () => {
    const value = { a: 1, b: undefined, c: [undefined, 'x', null], d: { e: true, f: undefined } }
    expect(writeJson(value)).toBe(JSON.stringify(value))
    expect(writeJson(value)).toBe('{"a":1,"c":[null,"x",null],"d":{"e":true}}')
  })

  test('with a verbatim text exactly as it came, at any depth', () => {
    expect(writeJson({ metadata: new Verbatim('{"n":1.0}'), all: [new Verbatim('2.50')] })).toBe(
      '{"metadata":{"n":1.0},"all":[2.50]}',
    )
  })
})

describe('a member of a JSON object', () => {
  test.each([
    ['{"a": 1.0 , "b":2}', 'a', '1.0'],
    ['{"a":1,\n "b": {"a": 9} \n}', 'b', '{"a": 9}'],
    ['{"b":{"a":9},"a":[1, {"a":2}]}', 'a', '[1, {"a":2}]'],
    ['{"a":1,"a":2}', 'a', '2'],
    ['{"x":"\\",\\"a\\":7","a":8}', 'a', '8'],
    ['{"x":"}","a":"{,:"}', 'a', '"{,:"'],
    ['{"\\u0061":3}', 'a', '3'],
    ['{"a\\"":3}', 'a"', '3'],
    ['{"b":{"a":9}}', 'a', undefined],
    ['{}', 'a', undefined],
  ])('%s has as %s the text %s', (text, name, member) => {
    expect(memberText(text, name)).toBe(member)
  })
})

/**
 * @param code - The text of `fault.file`.
 * @returns the text with the fault in it.
 * @throws {Error} when the old text is not there exactly once: the code has moved, and the fault must be written anew.
 */
export function plant(code, { file, from, to }) {
  const places = code.split(from).length - 1
  if (places !== 1) throw new Error(`${file} has the text to replace ${places} times, not once: ${from}`)
  return code.replace(from, () => to)
}

/**
 * What people paste into the search as the text to search for: without the spaces around it; of the address of an explorer's page or of a
 * payment's page its last part, which is the transaction, address or payment.
 */
export function searchTextOf(pasted: string): string {
  const text = pasted.trim()
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return text
  return new URL(text).pathname.split('/').filter(Boolean).at(-1) ?? text
}

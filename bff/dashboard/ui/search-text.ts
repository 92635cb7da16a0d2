/**
 * The text to search for: the pasted text without surrounding spaces. Of a URL, such as an explorer's or a payment's page, the last part,
 * which is the transaction, address or payment.
 */
export function searchTextOf(pasted: string): string {
  const text = pasted.trim()
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return text
  return new URL(text).pathname.split('/').filter(Boolean).at(-1) ?? text
}

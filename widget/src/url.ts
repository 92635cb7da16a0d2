/** Only the web's own schemes pass: a `javascript:` link would run in the shop's page. */
export function parseWebUrl(text: string): URL | null {
  if (!/^https?:\/\//i.test(text)) return null
  try {
    return new URL(text)
  } catch {
    return null
  }
}

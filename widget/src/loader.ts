/*
 * The address that a page loads: as a module, or as the classic script of older pages, which imports itself again as a
 * module. So it has no import or export of its own, and nothing in it but ASCII.
 */
{
  const { currentScript } = document
  const classicUrl = currentScript instanceof HTMLScriptElement ? currentScript.src : ''
  void (classicUrl ? import(/* @vite-ignore */ classicUrl) : import('./stablecoin-checkout.ts'))
}

/**
 * Says why a release of Node cannot run the project.
 * @param {string} version - As `process.versions.node`: `24.21.0`.
 * @param {string} supported - As `engines.node` of package.json: `^20.19.0 || ^24.0.0`, the least minor release of each major one.
 * @returns {string | undefined} One sentence; undefined where it can.
 */
export function refusedRelease(version, supported) {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const least = [...supported.matchAll(/\^(\d+)\.(\d+)/g)].map((found) => found.slice(1).map(Number))
  if (least.some((one) => one[0] === major && minor >= one[1])) return undefined
  const names = least.map((one) => (one[1] === 0 ? `${one[0]}` : `${one[0]} (from ${one.join('.')})`)).join(', ')
  return `stablecoin-checkout runs on Node ${names}, and this is Node ${version}: install one of them from https://nodejs.org.`
}

/** Set by `npm run nightly`: loops run at their nightly counts, and model and soak-like tests run too. */
export const isNightly = process.env['NIGHTLY'] === '1'

/**
 * How often a loop or a property runs.
 * @param ordinary - In ordinary runs: as few as reveal the fault.
 * @param nightly - In nightly runs.
 */
export const times = (ordinary: number, nightly: number): number => (isNightly ? nightly : ordinary)

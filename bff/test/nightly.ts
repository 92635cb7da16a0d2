/** `npm run nightly` sets it: loops run as often as they say, and model and soak-like tests run too. */
export const isNightly = process.env['NIGHTLY'] === '1'

/**
 * How often a loop or a property runs.
 * @param ordinary - In each run of the tests: as few as show the fault.
 * @param nightly - In a nightly run.
 */
export const times = (ordinary: number, nightly: number): number => (isNightly ? nightly : ordinary)

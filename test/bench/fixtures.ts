export const operator = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

/**
 * One measured value. Measures of one name and of several cases are a row of the page: `name` is the quantity, `case` its column. With `ratioTo`
 * the value is that of the quantity divided by what `ratioTo` names. `target` is the bound that the project promises.
 */
export type Measure = {
  name: string
  case?: string
  ratioTo?: string
  value: number
  unit: string
  target?: string
  isGood?: boolean
  point?: Point
}

/** Where the value stands in a chart: on the curve of `series`, at `at`. */
export type Point = { chart: string; series: string; at: number }

// Tests start programs of the demo.
export { bundleDemo as setup } from './programs.mjs'

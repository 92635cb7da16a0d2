/**
 * What a program that embeds the service imports: its configuration, the service and the command line. The types of the API are
 * `api-types`, the addresses and ABIs of the contracts `contracts`. Tests, benchmarks and the demo also build single parts of the service,
 * by `testing/`; `exports` of the package lists nothing else.
 */
export { runCli } from './ops/cli/program.ts'
export { loadConfig } from './ops/config/config.ts'
export { serve } from './ops/serve/serve.ts'

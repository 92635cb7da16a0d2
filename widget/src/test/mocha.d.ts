/** Globals of Web Test Runner's mocha (`tdd` interface). */
declare function suite(name: string, tests: () => void): void
declare function test(name: string, run: () => void | Promise<void>): void
declare function setup(run: () => void | Promise<void>): void
declare function suiteTeardown(run: () => void | Promise<void>): void
declare function teardown(run: () => void | Promise<void>): void

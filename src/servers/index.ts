/**
 * The door to the demo servers that ship, and to their tools for mounting in a host.
 */

export { evaluate, MAX_EXPRESSION_LENGTH, MAX_NESTING } from './arithmetic.ts'
export type { Evaluation } from './arithmetic.ts'
export { calculator } from './calculator.ts'
export { calculatorServer, weatherServer } from './demo-servers.ts'
export type { CalculatorServerOptions, WeatherServerOptions } from './demo-servers.ts'
export { FORECAST_URL, GEOCODER_URL } from './open-meteo.ts'
export type { OpenMeteoOptions } from './open-meteo.ts'
export { weather } from './weather.ts'
export type { WeatherOptions } from './weather.ts'
export type { WeatherLanguage } from './weather-words.ts'

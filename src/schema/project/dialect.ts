/** Whose idea of a JSON Schema a projection is for. Types only. */

/** `plain` is for servers that take any schema, as vLLM and Ollama do. */
export type SchemaDialect = 'deepseek' | 'openai' | 'anthropic' | 'gemini' | 'llamacpp' | 'plain'

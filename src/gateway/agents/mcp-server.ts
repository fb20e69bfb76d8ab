// The build replaces this file by these parts of the library, which is 8 MB as a whole: scripts/inline-library.js.
export { createMcpHandler, fromJsonSchema, McpServer } from '@modelcontextprotocol/server';

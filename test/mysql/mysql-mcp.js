// 1. 创建连接池
const mysql = require("mysql2/promise");
const readline = require("readline");

const pool = mysql.createPool({
  host: process.env.MYSQL_HOST || "127.0.0.1",
  port: Number(process.env.MYSQL_PORT || 3306),
  user: process.env.MYSQL_USER || "root",
  password: process.env.MYSQL_PASSWORD || "",
  database: process.env.MYSQL_DATABASE
});

// 2. 创建 stdin/stdout 通信接口
const rl = readline.createInterface({ input: process.stdin, terminal: false });

// 3. 辅助函数
const sendResponse = (id, result) => {
  console.log(JSON.stringify({
    jsonrpc: "2.0",
    id,
    result
  }));
};

const sendError = (id, code, message) => {
  console.log(JSON.stringify({
    jsonrpc: "2.0",
    id,
    error: { code, message }
  }));
};

// 4. 处理请求
const handleRequest = async ({ id, method, params }) => {
  if (method === "initialized") return;

  if (method === "initialize") {
    sendResponse(id, {
      protocolVersion: "2024-11-05",
      capabilities: { tools: {} },
      serverInfo: { name: "mysql-mcp", version: "1.0.0" }
    });
    return;
  }

  if (method === "tools/list") {
    sendResponse(id, {
      tools: [{
        name: "mysql_query",
        description: "Execute MySQL query",
        inputSchema: {
          type: "object",
          properties: {
            sql: { type: "string", description: "SQL statement to execute" }
          },
          required: ["sql"]
        }
      }]
    });
    return;
  }

  if (method === "tools/call") {
    const { name, arguments: args } = params;

    if (name === "mysql_query") {
      const { sql } = args;
      const [results] = await pool.query(sql);

      sendResponse(id, {
        content: [{
          type: "text",
          text: JSON.stringify(results)
        }]
      });
      return;
    }
  }

  sendError(id, -32601, "Method not found");
};

// 5. 主循环
rl.on("line", async (line) => {
  let request;
  try {
    request = JSON.parse(line);
  } catch {
    sendError(null, -32700, "Parse error");
    return;
  }
  try {
    await handleRequest(request);
  } catch (error) {
    sendError(request.id, -32603, error.message);
  }
});

// 6. 优雅退出
process.on("SIGINT", async () => {
  await pool.end();
  process.exit(0);
});

// Run GLB files through the Khronos validator: `node validate.js MODULE FILE ...` prints, for each file, what it found.

const fs = require("fs");
const validator = require(process.argv[2]);

async function main() {
  const found = {};
  for (const path of process.argv.slice(3)) {
    const report = await validator.validateBytes(new Uint8Array(fs.readFileSync(path)), { maxIssues: 20 });
    found[path] = { ...report.issues, animations: report.info.animationCount };
  }
  process.stdout.write(JSON.stringify(found));
}

main();

"""How BenchExec runs Raddle, and what Raddle's answers mean.

With the repository's root in PYTHONPATH, the tool's name is contrib.benchexec.raddle; `raddle suite run --benchexec DIR`
writes benchmark definitions that use it.
"""

import re

import benchexec.result as result
import benchexec.tools.template
from benchexec.tools.sv_benchmarks_util import ILP32, LP64, get_data_model_from_task

VERDICT = re.compile(r"VERDICT: (true|false|unknown)(?:\(([^()]*)\))?\s*$")

# Codes of unknown verdicts for which BenchExec has words.
REASONS = {"timeout": result.RESULT_TIMEOUT, "out-of-memory": "OUT OF MEMORY"}


class Tool(benchexec.tools.template.BaseTool2):
    """Raddle, a model checker for multi-threaded C programs."""

    def executable(self, tool_locator):
        return tool_locator.find_executable("raddle")

    def version(self, executable):
        return self._version_from_tool(executable, line_prefix="raddle")

    def name(self):
        return "Raddle"

    def cmdline(self, executable, options, task, rlimits):
        # What lies beside a task must not change its options.
        command = [executable, "--no-config"]
        if task.property_file:
            command += ["--property", task.property_file]
        data_model = get_data_model_from_task(task, {ILP32: "ILP32", LP64: "LP64"})
        if data_model and "--data-model" not in options:
            command += ["--data-model", data_model]
        if rlimits.cputime and "--timeout" not in options:
            command += ["--timeout", f"{rlimits.cputime}s"]
        if rlimits.memory and "--memory" not in options:
            command += ["--memory", f"{rlimits.memory}B"]
        return command + list(options) + list(task.input_files)

    def determine_result(self, run):
        verdict = last_verdict(run.output)
        if verdict is None or verdict[1] == "input-error":
            # 3: bad input or usage, 4: internal error. BenchExec itself tells limits and signals.
            code = run.exit_code.value
            return result.RESULT_ERROR if code in (None, 4) else f"{result.RESULT_ERROR} ({code})"
        if run.exit_code.signal:
            # A process that crashes after its verdict is not believed.
            return result.RESULT_ERROR
        answer, detail = verdict
        if answer == "true":
            return result.RESULT_TRUE_PROP
        if answer == "false":
            return f"{result.RESULT_FALSE_PROP}({detail})" if detail else result.RESULT_FALSE_PROP
        return REASONS.get(detail, result.RESULT_UNKNOWN)

    def get_value_from_output(self, output, identifier):
        """Columns of tables: `reason` is the code of an unknown verdict; anything else is looked for as `NAME: VALUE`."""
        if identifier == "reason":
            verdict = last_verdict(output)
            return verdict[1] if verdict and verdict[0] == "unknown" else None
        for line in reversed(output):
            if line.startswith(f"{identifier}:"):
                return line.split(":", 1)[1].strip()
        return None


def last_verdict(output):
    """The answer and what is in parentheses, from the last line that is not empty."""
    for line in reversed(output):
        if line.strip():
            match = VERDICT.match(line)
            return match.groups() if match else None
    return None

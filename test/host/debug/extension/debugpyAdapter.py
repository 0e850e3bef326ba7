import runpy

runpy.run_module("debugpy.adapter", run_name="__main__")

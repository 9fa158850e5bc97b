"""Every widget of a form, operated as a person would: with the mouse, and with the keyboard."""

import pytest
from playwright.async_api import expect

pytestmark = pytest.mark.asyncio(loop_scope="module")

DROP = """async (zone) => {
  const data = new DataTransfer();
  data.items.add(new File(["<svg>müll</svg>"], "plan.svg", { type: "image/svg+xml" }));
  const details = { dataTransfer: data, bubbles: true, cancelable: true };
  for (const kind of ["dragover", "drop"]) zone.dispatchEvent(new DragEvent(kind, details));
}"""


async def values_of(visitor):
    """Send the form; the values of the gadget that came of it."""
    await visitor.button("Create gadget").click()
    await expect(visitor.page.get_by_role("heading", level=1)).to_have_text("Gadgets")
    (item,) = visitor.items("gadgets")
    return item["values"]


async def test_every_widget_with_the_mouse(visit):
    visitor = await visit()
    page, field = visitor.page, visitor.field
    bolt, nut, _ = (visitor.make("parts", name=name) for name in ("bolt", "nut", "spring"))
    await visitor.go("gadgets/create")
    await page.get_by_label("Name", exact=True).fill("gadget-1")
    await page.get_by_label("Description").fill("First line\nSecond line")
    await page.get_by_label("Password").fill("not for you")
    await page.get_by_label("Weight", exact=True).fill("25")
    for _ in range(2):
        await page.get_by_role("button", name="Increase").click()
    await page.get_by_role("slider", name="Volume").click()
    await expect(field("volume").locator("output")).to_have_text("20 dB")
    await page.get_by_label("Address range").fill("10.9.0.0/16")
    await page.get_by_role("button", name="Open calendar").click()
    await page.get_by_role("button", name="Next month").click()
    await page.get_by_role("button", name="15 April 2026").click()
    await expect(page.get_by_role("textbox", name="Delivery day")).to_have_value("2026-04-15")
    await expect(page.get_by_role("grid")).to_have_count(0)
    await page.get_by_label("Holiday").fill("2026-12-24")
    await page.get_by_label("Delivery time", exact=True).fill("09:30")

    await page.get_by_label("Size").select_option("Large")
    await page.get_by_role("combobox", name="Shape").click()
    await page.get_by_role("option", name="Star").click()
    await page.get_by_role("combobox", name="Material").click()
    await expect(page.get_by_role("listbox", name="Material").get_by_role("option")).to_have_count(
        4
    )
    await page.get_by_role("option", name="Beech wood").click()
    await field("finish").locator(".plain-value").click()
    await page.locator("body > .plain-list > .plain-option", has_text="Gloss").click()
    await expect(page.locator(".plain-list")).to_have_count(0)
    await expect(field("finish").locator(".plain-value")).to_have_text("Gloss")
    await page.get_by_role("radio", name="Fine").check()
    await page.get_by_text("Lively").click()
    await page.get_by_role("group", name="Colours").get_by_label("Green").check()
    await page.get_by_role("group", name="Colours").get_by_text("Blue").click()
    features = page.get_by_role("group", name="Features")
    await expect(features.get_by_role("button", name="Add")).to_be_disabled()
    await features.get_by_role("option", name="Lamp").click()
    await features.get_by_role("option", name="Radio").click()
    await features.get_by_role("button", name="Add").click()
    selected = features.get_by_role("listbox", name="Selected")
    await expect(selected.get_by_role("option")).to_have_text(["Lamp", "Radio"])
    await selected.get_by_role("option", name="Lamp").click()
    await features.get_by_role("button", name="Remove").click()
    await page.get_by_role("switch", name="Backup").click()
    await page.get_by_label("Backup time").fill("02:15")
    await page.get_by_label("Wrap as a gift").check()

    await page.get_by_label("Main part").select_option("nut")
    await page.get_by_role("combobox", name="Spare part").click()
    spares = page.get_by_role("listbox", name="Spare part")
    await spares.get_by_role("option", name="bolt").click()
    await page.get_by_role("group", name="Small parts").get_by_label("bolt").check()
    more = page.get_by_role("group", name="More parts")
    await more.get_by_role("option", name="nut").click()
    await more.get_by_role("button", name="Add").click()
    await visitor.button("Add tag").click()
    await page.get_by_label("Key", exact=True).fill("env")
    await page.get_by_label("Value", exact=True).fill("test")
    await page.get_by_role("textbox", name="Rules").fill('{"allow": ["all"]}')
    await page.get_by_role("textbox", name="Start script").fill("#!/bin/sh\necho hello")
    await field("drawing").locator(".drop").evaluate(DROP)
    await expect(field("drawing").locator(".file-line")).to_have_text("plan.svg16 B")
    await expect(page.get_by_label("Serial number")).to_have_count(0)

    values = await values_of(visitor)
    expected = {
        "name": "gadget-1", "description": "First line\nSecond line", "weight": 25, "copies": 3,
        "volume": 20, "range": "10.9.0.0/16", "day": "2026-04-15", "holiday": "2026-12-24",
        "hour": "09:30", "size": "large", "shape": "star", "material": "wood", "finish": "gloss",
        "grade": "fine", "mood": "lively", "colours": ["green", "blue"], "features": ["radio"],
        "backup": True, "backup_hour": "02:15", "gift": True, "part": nut["id"],
        "spare": bolt["id"], "parts": [bolt["id"]], "more_parts": [nut["id"]],
        "tags": {"env": "test"}, "rules": '{"allow": ["all"]}', "script": "#!/bin/sh\necho hello",
    }  # fmt: skip
    assert {name: values[name] for name in expected} == expected
    assert values["drawing"]["name"] == "plan.svg"
    assert "password" not in values
    (item,) = visitor.items("gadgets")
    drawing = visitor.api.get(f"/api/workshop/gadgets/{item['id']}/files/drawing")
    assert drawing.content.decode() == "<svg>müll</svg>"


async def test_every_widget_with_the_keyboard(visit, tmp_path):
    visitor = await visit()
    page, press, type_ = visitor.page, visitor.page.keyboard.press, visitor.page.keyboard.type
    bolt, nut = (visitor.make("parts", name=name) for name in ("bolt", "nut"))
    await visitor.go("gadgets/create")

    async def focus(role, name, **more):
        await page.get_by_role(role, name=name, exact=True, **more).focus()

    await focus("textbox", "Name")
    await type_("gadget-2")
    await press("Tab")  # the tooltip of the next but one
    await focus("spinbutton", "Weight")
    await type_("40")
    await focus("spinbutton", "Copies")
    await press("ArrowUp")
    await press("ArrowUp")
    await press("ArrowDown")
    await focus("slider", "Volume")
    await press("Home")
    for _ in range(3):
        await press("ArrowRight")
    await focus("button", "Open calendar")
    await press("Enter")
    await press("ArrowDown")
    await press("PageDown")
    await press("Escape")
    await expect(page.get_by_role("button", name="Open calendar")).to_be_focused()
    await press("Enter")
    await press("ArrowDown")  # from the last of March
    await press("Enter")
    await expect(page.get_by_role("textbox", name="Delivery day")).to_have_value("2026-04-07")
    await page.get_by_label("Holiday").focus()
    await type_("12242026")
    await page.get_by_label("Delivery time", exact=True).focus()
    await type_("0930PM")

    await focus("combobox", "Size")
    await press("ArrowDown")
    await focus("combobox", "Shape")
    await press("Enter")
    await expect(page.get_by_role("option", name="Round")).to_be_visible()
    await press("ArrowDown")
    await press("ArrowDown")
    await focus("combobox", "Material")
    await type_("WOOD")
    await expect(page.get_by_role("listbox", name="Material").get_by_role("option")).to_have_text(
        ["Beech wood", "Oak wood"]
    )
    await press("ArrowDown")
    await press("ArrowDown")
    await press("Enter")
    await expect(page.get_by_role("combobox", name="Material")).to_have_value("Oak wood")
    await focus("radio", "Basic")
    await press("ArrowRight")
    await page.get_by_role("checkbox", name="Red").focus()
    await press("Space")
    await (
        page.get_by_role("group", name="Features").get_by_role("listbox", name="Available").focus()
    )
    await press("ArrowDown")
    await press("Space")
    await press("ArrowDown")
    await press("Space")
    await press("Tab")
    await press("Enter")
    await expect(page.get_by_role("listbox", name="Available").first).to_be_focused()
    await focus("switch", "Backup")
    await press("Space")
    await press("Tab")
    await type_("0215AM")
    await page.get_by_label("Main part").focus()
    await type_("bo")
    await focus("combobox", "Spare part")
    await type_("nut")
    await press("Tab")  # what was typed in full is chosen
    await focus("button", "Add tag")
    await press("Enter")
    await type_("env")
    await press("Tab")
    await type_("prod")
    (tmp_path / "notes.txt").write_text("one\n")
    async with page.expect_file_chooser() as chooser:  # Chromium must know well before the key
        await focus("textbox", "Rules")
        await press("ControlOrMeta+a")
        await type_("{")
        await press("Enter")
        await type_("}")
        await expect(visitor.field("rules").locator(".gutter div")).to_have_text(["1", "2"])
        await page.get_by_label("Drawing").focus()
        await press("Enter")
        await (await chooser.value).set_files(tmp_path / "notes.txt")
    await expect(visitor.field("drawing").locator(".name")).to_have_text("notes.txt")

    values = await values_of(visitor)
    expected = {
        "name": "gadget-2", "weight": 40, "copies": 2, "volume": 3, "day": "2026-04-07",
        "holiday": "2026-12-24", "hour": "21:30", "size": "small", "shape": "square",
        "material": "oak", "grade": "fine", "colours": ["red"], "features": ["lamp", "clock"],
        "backup": True, "backup_hour": "02:15", "gift": False, "part": bolt["id"],
        "spare": nut["id"], "parts": [], "tags": {"env": "prod"}, "rules": "{\n}", "mood": "",
    }  # fmt: skip
    assert {name: values[name] for name in expected} == expected
    assert (values["drawing"]["name"], int(values["drawing"]["size"])) == ("notes.txt", 4)


async def test_the_widgets_speak_chinese(visit):
    visitor = await visit(locale="zh-CN")
    page = visitor.page
    visitor.make("parts", name="bolt")
    await visitor.go("gadgets/create")
    panel = page.get_by_role("complementary", name="配置概要")
    await expect(panel).to_contain_text("预估费用：0.07 点/小时")
    await expect(panel).to_contain_text("器件：已使用 0 个，配额 20 个")
    await page.get_by_label("名称", exact=True).fill("xin")
    await page.get_by_role("button", name="增加").click()
    await page.get_by_role("button", name="打开日历").click()
    await page.get_by_role("button", name="下个月").click()
    await page.get_by_role("button", name="2026年4月15日").click()
    colours = page.get_by_role("group", name="颜色")
    await colours.get_by_label("红色").check()
    features = page.get_by_role("group", name="功能")
    await features.get_by_role("listbox", name="可选").get_by_role("option", name="灯").click()
    await features.get_by_role("button", name="添加").click()
    await expect(features.get_by_role("listbox", name="已选")).to_have_text("灯")
    await expect(features.get_by_role("button", name="移除")).to_be_disabled()
    await page.get_by_role("combobox", name="材料").fill("橡")
    await page.get_by_role("option", name="橡木").click()
    await visitor.button("立即创建").click()
    await expect(page.get_by_role("status")).to_have_text("器件 xin 已创建")
    (item,) = visitor.items("gadgets")
    given = [item["values"][name] for name in ("copies", "day", "features", "material")]
    assert given == [2, "2026-04-15", ["lamp"], "oak"]

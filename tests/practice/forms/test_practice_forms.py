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
    await focus("textbox", "Rules")
    await press("ControlOrMeta+a")
    await type_("{")
    await press("Enter")
    await type_("}")
    await expect(visitor.field("rules").locator(".gutter div")).to_have_text(["1", "2"])
    (tmp_path / "notes.txt").write_text("one\n")
    await page.get_by_label("Drawing").focus()
    async with page.expect_file_chooser() as chooser:
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


async def test_what_is_wrong_is_said_beside_the_fields(visit):
    visitor = await visit()
    page, field = visitor.page, visitor.field
    await visitor.go("gadgets/create")
    await page.get_by_label("Name", exact=True).fill("Not Good")
    await page.get_by_label("Password").fill("short")
    await page.get_by_label("Weight", exact=True).fill("501")
    await page.get_by_role("spinbutton", name="Copies").fill("six")
    await page.get_by_label("Address range").fill("everywhere")
    await page.get_by_role("textbox", name="Delivery day").fill("2026-02-31")
    await page.get_by_role("combobox", name="Material").fill("paper")
    await page.get_by_role("switch", name="Backup").click()
    await visitor.button("Add tag").click()
    await page.get_by_label("Value", exact=True).fill("test")
    await page.get_by_role("textbox", name="Rules").fill("{\n  oops\n}")
    await page.keyboard.press("Tab")
    await expect(field("rules").get_by_role("alert")).to_have_text(
        "Rules is not valid JSON: line 2."
    )
    file = {"name": "plan.exe", "mimeType": "application/octet-stream", "buffer": b"no"}
    await page.get_by_label("Drawing").set_input_files(file)
    await expect(field("drawing").get_by_role("alert")).to_contain_text(".svg, .txt")
    await visitor.button("Create gadget").click()
    said = {
        "name": "Use lower-case letters, digits and hyphens.",
        "password": "Password must have 8 to 255 characters.",
        "weight": "Weight must be a whole number from 1 to 500.",
        "copies": "Copies must be a whole number from 1 to 5.",
        "range": "Address range must be an IPv4 range such as 10.0.0.0/16.",
        "day": "Delivery day must be a date",
        "material": "Material cannot be paper.",
        "colours": "Choose a value for Colours.",
        "backup_hour": "Backup time is required.",
        "tags": "Every tag needs a key.",
        "rules": "Rules is not valid JSON: line 2.",
        "drawing": ".svg, .txt",
    }
    for name, text in said.items():
        await expect(field(name).get_by_role("alert")).to_contain_text(text)
    await expect(page.get_by_role("alert")).to_have_count(len(said))
    await expect(page.get_by_label("Name", exact=True)).to_be_focused()
    assert await page.get_by_label("Name", exact=True).get_attribute("aria-invalid") == "true"
    await page.get_by_label("Name", exact=True).fill("good")
    await expect(page.get_by_role("alert")).to_have_count(len(said) - 1)
    await page.get_by_role("button", name="Decrease").click()
    await expect(page.get_by_role("alert")).to_have_count(len(said) - 2)
    assert visitor.items("gadgets") == []


async def test_what_the_cloud_refuses_is_said_beside_the_field(visit):
    visitor = await visit()
    page = visitor.page
    bolt = visitor.make("parts", name="bolt")
    await visitor.go("gadgets/create")
    await page.get_by_label("Name", exact=True).fill("gadget")
    await page.get_by_role("checkbox", name="Red").check()
    await page.get_by_label("Main part").select_option("bolt")
    assert visitor.api.delete(f"/api/workshop/parts/{bolt['id']}").status_code == 204
    await visitor.button("Create gadget").click()
    await expect(visitor.field("part").get_by_role("alert")).to_have_text(
        "Main part does not exist."
    )
    await expect(page.get_by_label("Main part")).to_be_focused()


async def test_a_field_that_is_hidden_again_is_not_sent(visit):
    visitor = await visit()
    page = visitor.page
    await visitor.go("gadgets/create")
    await page.get_by_label("Name", exact=True).fill("gadget")
    await page.get_by_role("checkbox", name="Red").check()
    hour = page.get_by_label("Backup time")
    await expect(hour).to_be_hidden()
    await page.get_by_role("switch", name="Backup").click()
    await hour.fill("04:00")
    await page.get_by_role("switch", name="Backup").click()
    await expect(hour).to_be_hidden()
    values = await values_of(visitor)
    assert (values["backup"], values["backup_hour"]) == (False, "")


async def test_help_is_shown_to_the_pointer_and_to_the_keyboard(visit):
    visitor = await visit()
    page = visitor.page
    await visitor.go("gadgets/create")
    tip = page.get_by_role("tooltip")
    icon = page.get_by_role("img", name="About Weight")
    await icon.hover()
    await expect(tip).to_have_text("Without the box.")
    await page.mouse.move(0, 0)
    await expect(tip).to_have_count(0)
    await icon.focus()
    await expect(icon).to_have_accessible_description("Without the box.")
    await page.keyboard.press("Escape")
    await expect(tip).to_have_count(0)


async def test_price_and_quota_stand_beside_the_form(visit):
    visitor = await visit()
    page = visitor.page
    visitor.make("gadgets", name="first", colours=["red"])
    await visitor.go("gadgets/create")
    panel = page.get_by_role("complementary", name="Summary")
    await expect(panel).to_contain_text("Gadgets: 1 of 20 used")

    async def costs(price):
        await expect(panel).to_contain_text(f"Estimated cost: {price} credits per hour")

    await costs("0.07")
    await page.get_by_label("Size").select_option("Large")
    await costs("0.17")
    await page.get_by_role("button", name="Increase").click()
    await costs("0.19")
    await page.get_by_role("checkbox", name="Red").check()
    await page.get_by_role("checkbox", name="Green").check()
    await costs("0.193")
    await page.get_by_role("switch", name="Backup").click()
    await costs("0.223")


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
